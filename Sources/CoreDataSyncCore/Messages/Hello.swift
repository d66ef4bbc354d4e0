/// The first request of a device: which model it has, and what it is called.
package struct HelloRequest: Hashable, Sendable {
    /// Nil before it is known which replica the device is.
    package var replica: ReplicaID?
    /// What people call the device.
    package var name: String
    package var model: SyncModel

    package init(replica: ReplicaID?, name: String, model: SyncModel) {
        self.replica = replica
        self.name = name
        self.model = model
    }
}

/// What a replica has to know before it syncs.
package struct HelloAnswer: Hashable, Sendable {
    package struct Zone: Hashable, Sendable {
        package var name: String
        /// `reader`, `writer` or `owner`.
        package var role: String
        package var epoch: UInt64
        package var sequence: UInt64

        package init(name: String, role: String, epoch: UInt64, sequence: UInt64) {
            self.name = name
            self.role = role
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    /// The server's time.
    package var milliseconds: UInt64
    /// The changes of a push, the items of a page, and the bytes of a body at most.
    package var changes: Int
    package var page: Int
    package var bytes: Int
    /// Whose token the caller has, which tells what the name of a zone without an owner means; nil from a server that
    /// does not say.
    package var user: String?
    /// The zones that are there already and that the caller may enter.
    package var zones: [Zone]

    package init(
        milliseconds: UInt64, changes: Int, page: Int, bytes: Int, user: String?, zones: [Zone]
    ) {
        self.milliseconds = milliseconds
        self.changes = changes
        self.page = page
        self.bytes = bytes
        self.user = user
        self.zones = zones
    }
}

extension HelloRequest {
    package var wire: WireValue {
        .object(["replica": .optional(replica) { $0.wire }, "name": .text(name), "model": model.wire])
    }

    package init(wire: WireValue) throws(WireError) {
        replica = try wire["replica"].optional { value throws(WireError) in try value.id() }
        name = try wire["name"].text()
        model = try SyncModel(wire: wire["model"])
    }
}

extension HelloAnswer {
    package var wire: WireValue {
        .object([
            "time": .count(milliseconds), "changes": .count(changes), "page": .count(page),
            "bytes": .count(bytes), "user": .optional(user) { .text($0) }, "zones": .array(zones.map(\.wire)),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        milliseconds = try wire["time"].count()
        changes = Int(clamping: try wire["changes"].count())
        page = Int(clamping: try wire["page"].count())
        bytes = Int(clamping: try wire["bytes"].count())
        user = try wire["user"].optional { value throws(WireError) in try value.text() }
        zones = try wire["zones"].list { value throws(WireError) in try Zone(wire: value) }
    }
}

extension HelloAnswer.Zone {
    fileprivate var wire: WireValue {
        .object([
            "name": .text(name), "role": .text(role), "epoch": .count(epoch), "sequence": .count(sequence),
        ])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        name = try wire["name"].text()
        role = try wire["role"].text()
        epoch = try wire["epoch"].count()
        sequence = try wire["sequence"].count()
    }
}
