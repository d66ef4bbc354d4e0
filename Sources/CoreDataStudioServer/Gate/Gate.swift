#if Studio
/// Decides which requests reach the studio: those of its own page, on this machine, by who has its link.
///
/// A page of another origin can make a browser send requests here, and a name that it controls can lead here,
/// so that the address of this machine alone says nothing about who asks.
struct Gate: Sendable {
    private let rules: [any GateRule]

    /// Makes the gate of a server that listens at a port.
    init(port: Int, limits: ServerLimits, access: Access) {
        let addresses = OwnAddresses(port: port)
        rules = [
            TargetRule(), HostRule(addresses), OriginRule(addresses), FetchSiteRule(), MethodRule(),
            BodyRule(longest: limits.bodyBytes), ContentTypeRule(), TokenRule(access),
        ]
    }

    /// Throws the reason of the first rule that a request breaks.
    func check(_ head: RequestHead) throws(Refusal) {
        for rule in rules { try rule.check(head) }
    }
}
#endif
