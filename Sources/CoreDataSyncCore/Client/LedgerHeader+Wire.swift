/// The header as bytes, without its lists of changes and without the import that has begun: these are large,
/// change at other times, and are records of their own.
extension LedgerHeader: LedgerRecord {
    package var wire: WireValue {
        .object([
            "replica": replica.wire, "epoch": .count(epoch), "offset": .integer(offset),
            "received": received.wire, "last": last.wire, "next": .count(nextNumber),
            "receipt": .bytes(receipt), "token": .optional(token) { .count($0) }, "cursor": cursor.wire,
            "snapshot": .optional(snapshot) { progress in
                .array([
                    .optional(progress.after) { $0.wire }, .optional(progress.head) { .count($0) },
                    .count(progress.received), .optional(progress.total) { .count($0) },
                ])
            },
            "reconcile": .boolean(needsReconcile), "outdated": .boolean(isOutdated),
            "kept": .array(kept.sorted().map(\.wire)), "parked": .array(parked.sorted().map(\.wire)),
            "foreign": .boolean(isForeign), "unknown": .count(unknown),
            "decision": .optional(decision) { .boolean($0 == .upload) },
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        self.init(replica: try wire["replica"].id())
        epoch = try wire["epoch"].count()
        offset = try wire["offset"].integer()
        received = try wire["received"].time()
        last = try wire["last"].time()
        nextNumber = try wire["next"].count()
        receipt = try wire["receipt"].bytes()
        token = try wire["token"].optional { value throws(WireError) in try value.count() }
        cursor = try Cursor(wire: wire["cursor"])
        snapshot = try wire["snapshot"].optional { value throws(WireError) in
            let fields = try value.fields(4)
            var progress = SnapshotProgress()
            progress.after = try fields[0].optional { key throws(WireError) in try ItemKey(wire: key) }
            progress.head = try fields[1].optional { head throws(WireError) in try head.count() }
            progress.received = Int(clamping: try fields[2].count())
            progress.total = try fields[3].optional { total throws(WireError) in
                Int(clamping: try total.count())
            }
            return progress
        }
        needsReconcile = try wire["reconcile"].boolean()
        isOutdated = try wire["outdated"].boolean()
        kept = Set(try wire["kept"].list { value throws(WireError) in try value.id() })
        parked = Set(try wire["parked"].list { value throws(WireError) in try value.id() })
        isForeign = try wire["foreign"].boolean()
        unknown = Int(clamping: try wire["unknown"].count())
        decision = try wire["decision"].optional { value throws(WireError) in
            try value.boolean() ? .upload : .drop
        }
    }
}

extension ImportIntent: LedgerRecord {
    package var wire: WireValue {
        let entries = entries.sorted { $0.key < $1.key }.flatMap { key, entry -> [WireValue] in
            [key.wire, .optional(entry) { $0.wire }]
        }
        let created = created.sorted { $0.key < $1.key }.flatMap { id, local -> [WireValue] in
            [id.wire, .text(local)]
        }
        return .array([
            batch.wire, .array(entries), .array(created), .array(kept.sorted().map(\.wire)), cursor.wire,
            .optional(digest) { .word($0) }, .array(parked.sorted().map(\.wire)),
            .array(waiting.sorted().map(\.wire)),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.fields(8)
        var entries: [ItemKey: LedgerEntry?] = [:]
        for (key, value) in try Self.couples(fields[1]) {
            entries[try ItemKey(wire: key)] = .some(
                try value.optional { entry throws(WireError) in try LedgerEntry(wire: entry) })
        }
        var created: [SyncID: LocalKey] = [:]
        for (id, local) in try Self.couples(fields[2]) { created[try id.id()] = try local.text() }
        self.init(
            batch: try fields[0].id(), entries: entries, created: created,
            kept: Set(try fields[3].list { value throws(WireError) in try value.id() }),
            parked: Set(try fields[6].list { value throws(WireError) in try value.id() }),
            waiting: Set(try fields[7].list { value throws(WireError) in try ItemKey(wire: value) }),
            cursor: try Cursor(wire: fields[4]),
            digest: try fields[5].optional { value throws(WireError) in try value.word() })
    }

    private static func couples(_ wire: WireValue) throws(WireError) -> [(WireValue, WireValue)] {
        let values = try wire.array()
        guard values.count % 2 == 0 else { throw wire.mismatch("couples") }
        return stride(from: 0, to: values.count, by: 2).map { (values[$0], values[$0 + 1]) }
    }
}

extension SyncIssue: LedgerRecord {
    package var wire: WireValue {
        switch self {
        case .lost(let lost): .array([.integer(0), lost.wire])
        case .asked(let lost): .array([.integer(1), lost.wire])
        case .rejected(let change, let reason): .array([.integer(2), change.wire, .text(reason)])
        case .gone(let change): .array([.integer(3), change.wire])
        case .diverged: .array([.integer(4)])
        case .missingObjects(let count): .array([.integer(5), .count(count)])
        case .parked(let id, let entity, let reason):
            .array([.integer(6), id.wire, .text(entity), .text(reason)])
        case .unknownObjects(let count): .array([.integer(7), .count(count)])
        }
    }

    package init(wire: WireValue) throws(WireError) {
        let fields = try wire.array()
        switch (try (fields.first ?? .null).integer(), fields.count) {
        case (0, 2): self = .lost(try LostValue(wire: fields[1]))
        case (1, 2): self = .asked(try LostValue(wire: fields[1]))
        case (2, 3): self = .rejected(try Change(wire: fields[1]), try fields[2].text())
        case (3, 2): self = .gone(try Change(wire: fields[1]))
        case (4, 1): self = .diverged
        case (5, 2): self = .missingObjects(Int(clamping: try fields[1].count()))
        case (6, 4):
            self = .parked(try fields[1].id(), entity: try fields[2].text(), reason: try fields[3].text())
        case (7, 2): self = .unknownObjects(Int(clamping: try fields[1].count()))
        default: throw WireError("an unknown issue")
        }
    }
}

extension ZoneDigest: LedgerRecord {
    package var wire: WireValue { .array(buckets.map { .word($0) }) }

    package init(wire: WireValue) throws(WireError) {
        let words = try wire.list { value throws(WireError) in try value.word() }
        guard let digest = ZoneDigest(buckets: words) else { throw wire.mismatch("a digest") }
        self = digest
    }
}
