#if Studio
/// Files and downloads are only got; the studio is asked by GET, POST and DELETE.
struct MethodRule: GateRule {
    func check(_ head: RequestHead) throws(Refusal) {
        let allowed = head.isForInterface ? ["GET", "POST", "DELETE"] : ["GET"]
        guard allowed.contains(head.method) else { throw Refusal(405, "\(head.method) is not answered here") }
    }
}
#endif
