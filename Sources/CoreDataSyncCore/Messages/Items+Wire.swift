extension ItemKey {
    package var wire: WireValue {
        switch self {
        case .object(let id): id.wire
        case .pair(let name, let first, let second): .array([.text(name), first.wire, second.wire])
        }
    }

    package init(wire: WireValue) throws(WireError) {
        if case .bytes = wire {
            self = .object(try wire.id())
        } else {
            let fields = try wire.fields(3)
            self = .pair(try fields[0].text(), try fields[1].id(), try fields[2].id())
        }
    }
}

extension Change {
    /// The bytes that the change takes in a message, with those that are sent apart.
    package var byteCount: Int {
        value.blobSizes.reduce(messageBytes) { count, size in
            let (sum, isTooMuch) = count.addingReportingOverflow(Int(clamping: size))
            return isTooMuch ? .max : sum
        }
    }

    /// No fewer bytes than `byteCount`, found out without writing: IDs, stamps and numbers have 200 at most.
    package var byteBound: Int {
        var bound = 200 + entity.utf8.count + (register?.utf8.count ?? 0) + value.byteBound
        if case .pair(let name, _, _) = item { bound += name.utf8.count }
        return value.blobSizes.reduce(bound) { $0 + Int(clamping: min($1, 1 << 40)) }
    }

    /// The bytes that the change takes in a message.
    var messageBytes: Int { CBORWriter.bytes(of: wire).count }

    var wire: WireValue {
        let edit: [WireValue] =
            switch edit {
            case .existence(let length, let seen): [.integer(0), .count(length), .count(seen)]
            case .set(let name, let value): [.integer(1), .text(name), value.wire]
            case .count(let name, let total): [.integer(2), .text(name), total.wire]
            case .merged(let survivor): [.integer(3), survivor.wire, .null]
            }
        return .array(
            [
                .count(number), item.wire, .text(entity), stamp.wire, .optional(base) { $0.wire },
                .boolean(isRelayed),
            ] + edit)
    }

    init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(9)
        number = try fields[0].count()
        item = try ItemKey(wire: fields[1])
        entity = try fields[2].text()
        stamp = try fields[3].stamp()
        base = try fields[4].optional { value throws(WireError) in try value.stamp() }
        isRelayed = try fields[5].boolean()
        switch try fields[6].integer() {
        case 0: edit = .existence(try fields[7].length(), seen: try fields[8].count())
        case 1: edit = .set(try fields[7].text(), try SyncValue(wire: fields[8]))
        case 2: edit = .count(try fields[7].text(), try SyncValue(wire: fields[8]))
        case 3: edit = .merged(into: try fields[7].id())
        default: throw WireError("an unknown edit")
        }
    }
}

extension WireValue {
    /// Reads a causal length. One at the end of its numbers could not grow any more.
    fileprivate func length() throws(WireError) -> UInt32 {
        let value = try count()
        guard value < UInt64(UInt32.max) - 1 else { throw mismatch("a causal length") }
        return UInt32(value)
    }
}

extension Outcome {
    var wire: WireValue {
        switch self {
        case .applied: .integer(0)
        case .superseded: .integer(1)
        case .gone: .integer(2)
        case .alias(let id): id.wire
        case .rejected(let reason): .text(reason)
        }
    }

    init(wire: WireValue) throws(WireError) {
        switch wire {
        case .integer(0): self = .applied
        case .integer(1): self = .superseded
        case .integer(2): self = .gone
        case .bytes: self = .alias(try wire.id())
        case .text(let reason): self = .rejected(reason)
        default: throw wire.mismatch("an outcome")
        }
    }
}

extension Cursor {
    var wire: WireValue {
        .array([.count(complete), .count(sequence), .optional(item) { $0.wire }])
    }

    init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(3)
        complete = try fields[0].count()
        sequence = try fields[1].count()
        item = try fields[2].optional { value throws(WireError) in try ItemKey(wire: value) }
    }
}

extension Register {
    var wire: WireValue {
        switch self {
        case .value(let value, let stamp): .array([stamp.time.wire, stamp.replica.wire, value.wire])
        case .counter(let counter):
            .array(
                [.integer(0)]
                    + counter.parts.sorted { $0.key < $1.key }.map { replica, part in
                        .array([replica.wire, part.time.wire, part.total.wire])
                    })
        }
    }

    init(wire: WireValue) throws(WireError) {
        let fields = try wire.array()
        if fields.count == 3, case .bytes = fields[1] {
            self = .value(
                try SyncValue(wire: fields[2]),
                Stamp(time: try fields[0].time(), replica: try fields[1].id()))
            return
        }
        guard fields.first == .integer(0) else { throw wire.mismatch("a register") }
        var parts: [ReplicaID: Counter.Part] = [:]
        for field in fields.dropFirst() {
            let part = try field.fields(3)
            parts[try part[0].id()] = Counter.Part(
                total: try SyncValue(wire: part[2]), time: try part[1].time())
        }
        self = .counter(Counter(parts))
    }
}

extension ItemUpdate {
    var wire: WireValue {
        .array([
            item.wire, .text(state.entity), .count(state.existence.length), state.existence.stamp.wire,
            state.created.wire, .optional(state.alias) { $0.wire },
            .object(state.registers, \.wire),
        ])
    }

    init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(7)
        item = try ItemKey(wire: fields[0])
        var registers: [String: Register] = [:]
        for member in try fields[6].map() { registers[member.key] = try Register(wire: member.value) }
        state = ItemState(
            entity: try fields[1].text(),
            existence: Existence(length: try fields[2].length(), stamp: try fields[3].stamp()),
            created: try fields[4].stamp(),
            alias: try fields[5].optional { value throws(WireError) in try value.id() }, registers: registers)
    }
}

extension LostValue {
    package var wire: WireValue {
        .array([
            item.wire, .text(entity), .optional(register) { .text($0) }, value.wire, stamp.wire,
            winner.wire, .text(reason.rawValue),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(7)
        item = try ItemKey(wire: fields[0])
        entity = try fields[1].text()
        register = try fields[2].optional { value throws(WireError) in try value.text() }
        value = try SyncValue(wire: fields[3])
        stamp = try fields[4].stamp()
        winner = try fields[5].stamp()
        guard let reason = Reason(rawValue: try fields[6].text()) else {
            throw WireError("an unknown reason")
        }
        self.reason = reason
    }
}
