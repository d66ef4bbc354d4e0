/// Where a reader stands in the log of values that lost.
package struct LogPlace: Hashable, Sendable {
    package var sequence: UInt64
    /// The number of the entry among all of the server.
    package var entry: UInt64

    package init(sequence: UInt64 = 0, entry: UInt64 = 0) {
        self.sequence = sequence
        self.entry = entry
    }
}

/// Values that lost, in the order in which they did: the conflicts of a zone and what its rules took away.
package struct LogPage: Hashable, Sendable {
    package var rows: [LogRow]
    package var next: LogPlace
    package var isComplete: Bool

    package init(rows: [LogRow], next: LogPlace, isComplete: Bool) {
        self.rows = rows
        self.next = next
        self.isComplete = isComplete
    }
}

/// Deleted objects that somebody wants back, with those that went with them.
package struct RestoreRequest: Hashable, Sendable {
    package var objects: [SyncID]

    package init(objects: [SyncID]) {
        self.objects = objects
    }
}

/// Which of the objects live now. One whose owner is still deleted does not.
package struct RestoreAnswer: Hashable, Sendable {
    package var living: [SyncID]
    package var sequence: UInt64

    package init(living: [SyncID], sequence: UInt64) {
        self.living = living
        self.sequence = sequence
    }
}

extension LogPage {
    package var wire: WireValue {
        .object([
            "rows": .array(rows.map(\.wire)), "complete": .boolean(isComplete),
            "next": .array([.count(next.sequence), .count(next.entry)]),
        ])
    }

    package init(wire: WireValue) throws(WireError) {
        rows = try wire["rows"].list { value throws(WireError) in try LogRow(wire: value) }
        isComplete = try wire["complete"].boolean()
        let fields = try wire["next"].fields(2)
        next = LogPlace(sequence: try fields[0].count(), entry: try fields[1].count())
    }
}

extension RestoreRequest {
    package var wire: WireValue { .object(["objects": .array(objects.map(\.wire))]) }

    package init(wire: WireValue) throws(WireError) {
        objects = try wire["objects"].list { value throws(WireError) in try value.id() }
    }
}

extension RestoreAnswer {
    package var wire: WireValue {
        .object(["living": .array(living.map(\.wire)), "sequence": .count(sequence)])
    }

    package init(wire: WireValue) throws(WireError) {
        living = try wire["living"].list { value throws(WireError) in try value.id() }
        sequence = try wire["sequence"].count()
    }
}
