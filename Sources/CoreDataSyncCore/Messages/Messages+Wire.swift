extension SyncRequest {
    package var wire: WireValue {
        switch self {
        case .push(let push): push.wire
        case .pull(let pull):
            .object([
                "verb": .text("pull"), "epoch": .count(pull.epoch), "cursor": pull.cursor.wire,
                "limit": .count(pull.limit),
            ])
        case .snapshot(let snapshot):
            .object([
                "verb": .text("snapshot"), "epoch": .count(snapshot.epoch),
                "after": .optional(snapshot.after) { $0.wire }, "limit": .count(snapshot.limit),
            ])
        case .reconcile(let reconcile):
            .object([
                "verb": .text("reconcile"), "epoch": .count(reconcile.epoch),
                "buckets": .array(reconcile.buckets.map { .word($0) }), "from": .count(reconcile.from),
                "limit": .optional(reconcile.limit) { .count($0) },
            ])
        case .task(let task): task.wire
        }
    }

    package init(wire: WireValue) throws(WireError) {
        let epoch = try wire["epoch"].count()
        switch try wire["verb"].text() {
        case "push":
            self = .push(
                PushRequest(
                    epoch: epoch, replica: try wire["replica"].id(), previous: try wire["previous"].bytes(),
                    received: try wire["received"].optional { value throws(WireError) in try value.time() }
                        ?? .zero,
                    changes: try wire["changes"].list { value throws(WireError) in try Change(wire: value) }))
        case "pull":
            self = .pull(
                PullRequest(
                    epoch: epoch, cursor: try Cursor(wire: wire["cursor"]),
                    limit: Int(clamping: try wire["limit"].count())))
        case "snapshot":
            self = .snapshot(
                SnapshotRequest(
                    epoch: epoch,
                    after: try wire["after"].optional { value throws(WireError) in try ItemKey(wire: value) },
                    limit: Int(clamping: try wire["limit"].count())))
        case "reconcile":
            let buckets = try wire["buckets"].list { value throws(WireError) in try value.word() }
            guard buckets.count == ZoneDigest.buckets else { throw WireError("\(buckets.count) buckets") }
            // Earlier versions ask for all at once.
            let from = try wire["from"].optional { value throws(WireError) in try value.bucket() } ?? 0
            let limit = try wire["limit"].optional { value throws(WireError) in
                Int(clamping: try value.count())
            }
            self = .reconcile(ReconcileRequest(epoch: epoch, buckets: buckets, from: from, limit: limit))
        case "task": self = .task(try TaskRequest(wire: wire))
        case let verb: throw WireError("an unknown verb \(verb.prefix(40))")
        }
    }
}

extension PushRequest {
    fileprivate var wire: WireValue {
        var members: [String: WireValue] = [
            "verb": .text("push"), "epoch": .count(epoch), "replica": replica.wire,
            "previous": .bytes(previous), "changes": .array(changes.map(\.wire)),
        ]
        if received > .zero { members["received"] = received.wire }
        return .object(members)
    }
}

extension SyncResponse {
    package var wire: WireValue {
        var members: [String: WireValue] = ["time": .count(milliseconds)]
        switch answer {
        case .push(let answer): members["push"] = answer.wire
        case .pull(let page): members["pull"] = page.wire
        case .snapshot(let page): members["snapshot"] = page.wire
        case .reconcile(let answer): members["reconcile"] = answer.wire
        case .task(let state): members["task"] = state.wire
        case .refused(let refusal): members["refused"] = refusal.wire
        }
        return .object(members)
    }

    package init(wire: WireValue) throws(WireError) {
        milliseconds = try wire["time"].count()
        let names = try wire.map().map(\.key).filter { $0 != "time" }
        guard names.count == 1 else { throw WireError("an answer has one kind, not \(names.count)") }
        switch names[0] {
        case "push": answer = .push(try PushAnswer(wire: wire["push"]))
        case "pull": answer = .pull(try ChangesPage(wire: wire["pull"]))
        case "snapshot": answer = .snapshot(try SnapshotPage(wire: wire["snapshot"]))
        case "reconcile": answer = .reconcile(try ReconcileAnswer(wire: wire["reconcile"]))
        case "task": answer = .task(try TaskState(wire: wire["task"]))
        case "refused": answer = .refused(try Refusal(wire: wire["refused"]))
        case let name: throw WireError("an unknown answer \(name.prefix(40))")
        }
    }
}

extension PushAnswer {
    fileprivate var wire: WireValue {
        .object([
            "receipt": .bytes(receipt), "sequence": .count(sequence),
            "outcomes": .array(outcomes.map(\.wire)),
        ])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        receipt = try wire["receipt"].bytes()
        sequence = try wire["sequence"].count()
        outcomes = try wire["outcomes"].list { value throws(WireError) in try Outcome(wire: value) }
    }
}

extension ChangesPage {
    fileprivate var wire: WireValue {
        .object([
            "items": .array(updates.map(\.wire)), "lost": .array(lost.map(\.wire)), "next": next.wire,
            "complete": .boolean(isComplete), "digest": .word(digest),
        ])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        updates = try wire["items"].list { value throws(WireError) in try ItemUpdate(wire: value) }
        lost = try wire["lost"].list { value throws(WireError) in try LostValue(wire: value) }
        next = try Cursor(wire: wire["next"])
        isComplete = try wire["complete"].boolean()
        digest = try wire["digest"].word()
    }
}

extension SnapshotPage {
    fileprivate var wire: WireValue {
        .object([
            "items": .array(updates.map(\.wire)), "head": .count(head),
            "total": .optional(total) { .count($0) }, "complete": .boolean(isComplete),
        ])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        updates = try wire["items"].list { value throws(WireError) in try ItemUpdate(wire: value) }
        head = try wire["head"].count()
        total = try wire["total"].optional { value throws(WireError) in Int(clamping: try value.count()) }
        isComplete = try wire["complete"].boolean()
    }
}

extension ReconcileAnswer {
    fileprivate var wire: WireValue {
        .object([
            "epoch": .count(epoch), "head": .count(head), "items": .array(updates.map(\.wire)),
            "buckets": .array(buckets.map { .count($0) }), "kept": .optional(keptUntil) { .count($0) },
            "forgotten": .boolean(hasForgotten), "next": .optional(next) { .count($0) },
        ])
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        epoch = try wire["epoch"].count()
        head = try wire["head"].count()
        updates = try wire["items"].list { value throws(WireError) in try ItemUpdate(wire: value) }
        buckets = try wire["buckets"].list { value throws(WireError) in try value.bucket() }
        keptUntil = try wire["kept"].optional { value throws(WireError) in try value.count() }
        hasForgotten = try wire["forgotten"].boolean()
        next = try wire["next"].optional { value throws(WireError) in try value.bucket() }
    }
}

extension Refusal {
    fileprivate var wire: WireValue {
        switch self {
        case .epoch(let epoch): .array([.text("epoch"), .count(epoch)])
        case .forgotten: .array([.text("forgotten")])
        case .clone(let isTaken): .array([.text("clone"), .boolean(isTaken)])
        case .clockAhead: .array([.text("clock")])
        case .invalid(let text): .array([.text("invalid"), .text(text)])
        case .tooManySteps(let text): .array([.text("steps"), .text(text)])
        }
    }

    fileprivate init(wire: WireValue) throws(WireError) {
        let fields = try wire.array()
        switch (try fields.first?.text(), fields.count) {
        case ("epoch", 2): self = .epoch(try fields[1].count())
        case ("forgotten", 1): self = .forgotten
        case ("clone", 2): self = .clone(isTaken: try fields[1].boolean())
        case ("clock", 1): self = .clockAhead
        case ("invalid", 2): self = .invalid(try fields[1].text())
        case ("steps", 2): self = .tooManySteps(try fields[1].text())
        default: throw WireError("an unknown refusal")
        }
    }
}

extension WireValue {
    fileprivate func bucket() throws(WireError) -> Int {
        let number = try count()
        guard number < ZoneDigest.buckets else { throw WireError("there is no bucket \(number)") }
        return Int(number)
    }
}
