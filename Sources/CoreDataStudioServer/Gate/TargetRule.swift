#if Studio
/// The target is a path of this server, in the characters of an address.
struct TargetRule: GateRule {
    func check(_ head: RequestHead) throws(Refusal) {
        let target = head.target.utf8
        guard target.first == UInt8(ascii: "/"), target.dropFirst().first != UInt8(ascii: "/"),
            target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { throw Refusal(400, "the target is not a path") }
        guard RequestTarget(head.target) != nil else { throw Refusal(400, "the path cannot be decoded") }
    }
}
#endif
