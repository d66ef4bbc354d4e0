/// What a server keeps of a zone as trees, for storages that keep bytes. A storage reads what it wrote itself
/// without limits of length, which guard against messages of others.

extension ZoneRow {
    /// Returns the row as a tree that names its item.
    package func wire(as key: ItemKey) -> WireValue {
        .array([
            ItemUpdate(item: key, state: state).wire, .count(sequence), .count(changed),
            .object(sequences) { .count($0) },
        ])
    }

    package static func read(_ wire: WireValue) throws(WireError) -> (key: ItemKey, row: ZoneRow) {
        let fields = try wire.fields(4)
        let update = try ItemUpdate(wire: fields[0])
        var sequences: [String: UInt64] = [:]
        for member in try fields[3].map() { sequences[member.key] = try member.value.count() }
        let row = ZoneRow(
            state: update.state, sequence: try fields[1].count(), sequences: sequences,
            changed: try fields[2].count())
        return (update.item, row)
    }
}

extension ZoneHeader {
    package var wire: WireValue {
        .object([
            "epoch": .count(epoch), "sequence": .count(sequence), "clock": .word(clock.last.word),
            "forgotten": .count(forgotten), "forgottenEpoch": .count(forgottenEpoch),
            "forgottenTime": .word(forgottenTime.word), "digest": .array(digest.buckets.map { .word($0) }),
            "restores": .array(
                restores.sorted { $0.key < $1.key }.map { .array([.count($0.key), .count($0.value)]) }),
            "tasks": .object(tasks.mapValues(\.wire)),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        epoch = try wire["epoch"].count()
        sequence = try wire["sequence"].count()
        clock = HybridClock(last: HybridTime(word: try wire["clock"].word()))
        forgotten = try wire["forgotten"].count()
        forgottenEpoch = try wire["forgottenEpoch"].count()
        forgottenTime = HybridTime(word: try wire["forgottenTime"].word())
        let buckets = try wire["digest"].list { value throws(WireError) in try value.word() }
        guard let digest = ZoneDigest(buckets: buckets) else { throw WireError("\(buckets.count) buckets") }
        self.digest = digest
        for restore in try wire["restores"].array() {
            let fields = try restore.fields(2)
            restores[try fields[0].count()] = try fields[1].count()
        }
        // Earlier versions wrote none.
        for task in try wire["tasks"].optional({ value throws(WireError) in try value.map() }) ?? [] {
            tasks[task.key] = try TaskRow(wire: task.value)
        }
    }
}

extension DeviceRow {
    package var wire: WireValue {
        .array([.bytes(receipt), SyncResponse(.push(answer), milliseconds: 0).wire])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(2)
        receipt = try fields[0].bytes()
        guard case .push(let answer) = try SyncResponse(wire: fields[1]).answer else {
            throw fields[1].mismatch("the answer to a push")
        }
        self.answer = answer
    }
}

extension LogRow {
    package var wire: WireValue { .array([.count(sequence), .count(changed), lost.wire]) }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(3)
        sequence = try fields[0].count()
        changed = try fields[1].count()
        lost = try LostValue(wire: fields[2])
    }
}

extension LostValue {
    /// Bytes that are equal for equal losing writes, by which a log knows those that it has.
    package var loser: [UInt8] {
        CBORWriter.bytes(of: .array([item.wire, .optional(register) { .text($0) }, stamp.wire]))
    }
}

extension UniqueValue {
    /// Bytes that are equal for equal values of a rule.
    package var key: [UInt8] {
        CBORWriter.bytes(
            of: .array([.word(hash), .text(rule.entity)] + rule.attributes.map { .text($0) }))
    }
}
