#if Studio
/// The browser does not say that another page caused the request: neither one of another site nor one of
/// another port.
///
/// Another page may lead to the start of this one, in a tab of its own, since the file through which the
/// browser is opened does so, too. The start page tells nothing and changes nothing.
struct FetchSiteRule: GateRule {
    func check(_ head: RequestHead) throws(Refusal) {
        let isOwn = head.values(of: "sec-fetch-site").allSatisfy { $0 == "same-origin" || $0 == "none" }
        guard isOwn || isVisit(head) else { throw Refusal(403, "the studio answers its own page only") }
    }

    private func isVisit(_ head: RequestHead) -> Bool {
        head.method == "GET" && head.target == "/" && head.values(of: "sec-fetch-mode") == ["navigate"]
            && head.values(of: "sec-fetch-dest") == ["document"]
    }
}
#endif
