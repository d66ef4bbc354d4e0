#if Studio
/// The paths that the server answers itself.
enum ServerRoute {
    /// Takes a code and gives the token.
    static let session = "/api/session"
    /// Takes a path of the studio and gives an address that is good once.
    static let downloads = "/api/downloads"
    /// Where those addresses are.
    static let download = "download"
}
#endif
