#if Studio
/// A body is JSON, by its type: a form of a foreign page cannot send that type.
struct ContentTypeRule: GateRule {
    func check(_ head: RequestHead) throws(Refusal) {
        guard head.method == "POST" else { return }
        let types = head.values(of: "content-type")
        let type = types.first?.lowercased().filter { $0 != " " }
        guard types.count == 1, type == "application/json" || type == "application/json;charset=utf-8" else {
            throw Refusal(415, "the body must be application/json")
        }
    }
}
#endif
