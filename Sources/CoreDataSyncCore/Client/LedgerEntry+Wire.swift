/// An entry as bytes. Stamps are written once an entry, since most registers have that of the making.
extension LedgerEntry: LedgerRecord {
    package var wire: WireValue {
        var stamps = StampTable()
        let head: [WireValue] = [
            .text(entity), .count(existence.length), stamps.index(of: existence.stamp),
            stamps.index(of: created), .optional(alias) { $0.wire }, .optional(local) { .text($0) },
            .boolean(isShown), .count(sequence),
        ]
        let fields = registers.sorted { $0.key.isBefore($1.key) }.flatMap { name, register -> [WireValue] in
            [
                .text(name), stamps.index(of: register.stamp), .word(register.shown),
                register.kept.map { .array([$0.wire]) } ?? .null,
                .optional(register.counter) { Register.counter($0).wire },
            ]
        }
        let held = held.sorted { $0.key.isBefore($1.key) }.flatMap { name, value -> [WireValue] in
            [.text(name), value.wire]
        }
        return .array(head + [stamps.wire, .array(fields), .array(held)])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(11)
        let stamps = try StampTable(wire: fields[8])
        let length = try fields[1].count()
        guard length <= UInt32.max else { throw fields[1].mismatch("a causal length") }
        self.init(
            entity: try fields[0].text(),
            existence: Existence(length: UInt32(length), stamp: try stamps.stamp(fields[2])),
            created: try stamps.stamp(fields[3]))
        alias = try fields[4].optional { value throws(WireError) in try value.id() }
        local = try fields[5].optional { value throws(WireError) in try value.text() }
        isShown = try fields[6].boolean()
        sequence = try fields[7].count()
        let registers = try fields[9].array()
        guard registers.count % 5 == 0 else { throw fields[9].mismatch("registers") }
        for start in stride(from: 0, to: registers.count, by: 5) {
            self.registers[try registers[start].text()] = try Self.register(registers[start...], stamps)
        }
        let held = try fields[10].array()
        guard held.count % 2 == 0 else { throw fields[10].mismatch("values") }
        for start in stride(from: 0, to: held.count, by: 2) {
            self.held[try held[start].text()] = try SyncValue(wire: held[start + 1])
        }
    }

    private static func register(
        _ fields: ArraySlice<WireValue>, _ stamps: StampTable
    ) throws(WireError) -> LedgerRegister {
        let start = fields.startIndex
        var counter: Counter?
        if fields[start + 4] != .null {
            guard case .counter(let parts) = try Register(wire: fields[start + 4]) else {
                throw fields[start + 4].mismatch("a counter")
            }
            counter = parts
        }
        return LedgerRegister(
            stamp: try stamps.stamp(fields[start + 1]), shown: try fields[start + 2].word(),
            kept: try fields[start + 3].optional { value throws(WireError) in
                try SyncValue(wire: try value.fields(1)[0])
            }, counter: counter)
    }
}

/// The stamps of an entry, each once.
private struct StampTable {
    private var stamps: [Stamp] = []

    init() {}

    init(wire: WireValue) throws(WireError) {
        stamps = try wire.list { value throws(WireError) in try value.stamp() }
    }

    var wire: WireValue { .array(stamps.map(\.wire)) }

    mutating func index(of stamp: Stamp) -> WireValue {
        if let index = stamps.firstIndex(of: stamp) { return .count(index) }
        stamps.append(stamp)
        return .count(stamps.count - 1)
    }

    func stamp(_ wire: WireValue) throws(WireError) -> Stamp {
        guard let index = Int(exactly: try wire.integer()), stamps.indices.contains(index) else {
            throw wire.mismatch("the place of a stamp")
        }
        return stamps[index]
    }
}

extension PendingChange: LedgerRecord {
    package var wire: WireValue {
        .array([
            change.wire, .count(milliseconds), .optional(addition) { $0.amount.wire },
            .optional(addition?.before) { .array([$0.total.wire, $0.time.wire]) },
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(4)
        self.init(try Change(wire: fields[0]), milliseconds: try fields[1].count())
        guard fields[2] != .null else { return }
        let before = try fields[3].optional { value throws(WireError) in
            let part = try value.fields(2)
            return Counter.Part(total: try SyncValue(wire: part[0]), time: try part[1].time())
        }
        addition = CounterAddition(try SyncValue(wire: fields[2]), before: before)
    }
}

extension AnsweredChange: LedgerRecord {
    package var wire: WireValue { .array([change.wire, .count(sequence)]) }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(2)
        self.init(try PendingChange(wire: fields[0]), sequence: try fields[1].count())
    }
}

/// A received item with its key.
package struct ReceivedItem: LedgerRecord {
    package let key: ItemKey
    package let item: InboxItem

    package init(key: ItemKey, item: InboxItem) {
        self.key = key
        self.item = item
    }

    package var wire: WireValue { .array([key.wire, item.wire]) }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(2)
        key = try ItemKey(wire: fields[0])
        item = try InboxItem(wire: fields[1])
    }
}

extension InboxItem: LedgerRecord {
    /// The key of the item is beside the record, so that any will do in it.
    private static let nobody = ItemKey.object(SyncID(high: 0, low: 0))

    package var wire: WireValue {
        .array([
            ItemUpdate(item: Self.nobody, state: state).wire, .boolean(isWhole), .boolean(isDropped),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(3)
        self.init(
            state: try ItemUpdate(wire: fields[0]).state, isWhole: try fields[1].boolean(),
            isDropped: try fields[2].boolean())
    }
}
