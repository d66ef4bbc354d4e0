#if Studio
/// A request that passed the gate, with its body.
struct ServerRequest: Sendable {
    let head: RequestHead
    let body: [UInt8]
}
#endif
