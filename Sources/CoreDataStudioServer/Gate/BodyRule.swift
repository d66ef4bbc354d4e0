#if Studio
/// A body has one length, is not longer than allowed, and comes with POST only.
struct BodyRule: GateRule {
    let longest: Int

    func check(_ head: RequestHead) throws(Refusal) {
        for name in ["transfer-encoding", "expect", "upgrade"] where !head.values(of: name).isEmpty {
            throw Refusal(400, "\(name) is not supported")
        }
        guard let length = head.bodyLength else { throw Refusal(400, "the body has no clear length") }
        guard length == 0 || head.method == "POST" else { throw Refusal(400, "\(head.method) has no body") }
        guard length <= longest else { throw Refusal(413, "the body is longer than \(longest) bytes") }
    }
}
#endif
