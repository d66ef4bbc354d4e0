#if Studio
/// The page that asks, if the browser names it, is the studio's own.
struct OriginRule: GateRule {
    private let addresses: OwnAddresses

    init(_ addresses: OwnAddresses) {
        self.addresses = addresses
    }

    func check(_ head: RequestHead) throws(Refusal) {
        for origin in head.values(of: "origin") where !addresses.origins.contains(origin) {
            throw Refusal(403, "the studio answers its own page only")
        }
    }
}
#endif
