/// Where zones stand, for a device that listens. Data always comes by pulling.
package struct ZoneHeads: Hashable, Sendable {
    package struct Head: Hashable, Sendable {
        /// The zone's name, as the caller writes it.
        package var zone: String
        package var epoch: UInt64
        package var sequence: UInt64

        package init(zone: String, epoch: UInt64, sequence: UInt64) {
            self.zone = zone
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    package var heads: [Head]

    package init(_ heads: [Head]) {
        self.heads = heads
    }

    /// What a device says that it has seen; another number is news.
    package var number: UInt64 { heads.reduce(0) { $0 &+ $1.sequence } }
}

extension ZoneHeads {
    package var wire: WireValue { .object(["zones": .array(heads.map(\.wire))]) }

    package init(wire: WireValue) throws(WireError) {
        heads = try wire["zones"].list { value throws(WireError) in try Head(wire: value) }
    }
}

extension ZoneHeads.Head {
    package var wire: WireValue {
        .object(["zone": .text(zone), "epoch": .count(epoch), "sequence": .count(sequence)])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        zone = try wire["zone"].text()
        epoch = try wire["epoch"].count()
        sequence = try wire["sequence"].count()
    }
}
