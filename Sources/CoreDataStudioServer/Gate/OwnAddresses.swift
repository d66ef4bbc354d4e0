#if Studio
/// How the server may be named by those who ask.
struct OwnAddresses: Sendable {
    /// What a Host field may be. They are compared as a whole: a beginning could go on as another name.
    let authorities: Set<String>
    let origins: Set<String>

    init(port: Int) {
        authorities = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
        origins = Set(authorities.map { "http://" + $0 })
    }
}
#endif
