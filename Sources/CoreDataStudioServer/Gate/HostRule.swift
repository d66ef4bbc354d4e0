#if Studio
/// There is one Host, and it is this server: a foreign name that leads to this machine (DNS rebinding) is
/// turned away.
struct HostRule: GateRule {
    private let addresses: OwnAddresses

    init(_ addresses: OwnAddresses) {
        self.addresses = addresses
    }

    func check(_ head: RequestHead) throws(Refusal) {
        let hosts = head.values(of: "host")
        guard hosts.count == 1, addresses.authorities.contains(hosts[0]) else {
            throw Refusal(403, "the studio answers at its own address only")
        }
    }
}
#endif
