/// Asks for the right to do something that one device of a zone does for all of them, or tells what became of it.
package struct TaskRequest: Hashable, Sendable {
    package enum Step: String, Sendable {
        /// Takes the task, or keeps it for longer.
        case take
        case finish
        /// Leaves the task to others.
        case leave
    }

    package var epoch: UInt64
    /// Names the task among those of the zone.
    package var name: String
    /// Who asks. Nobody else has the task at the same time.
    package var holder: SyncID
    package var step: Step
    /// For how long the task is taken, in milliseconds.
    package var duration: UInt64

    package init(epoch: UInt64, name: String, holder: SyncID, step: Step, duration: UInt64) {
        self.epoch = epoch
        self.name = name
        self.holder = holder
        self.step = step
        self.duration = duration
    }
}

/// How a task stands, as one who asks sees it.
package enum TaskState: Hashable, Sendable {
    /// Nobody has it.
    case open
    case mine
    /// Somebody else has it, for so many milliseconds more.
    case taken(UInt64)
    case done
}

/// What a server keeps of a task.
package enum TaskRow: Hashable, Sendable {
    case done
    /// Taken, until a time of the server's clock in milliseconds.
    case taken(by: SyncID, until: UInt64)
}

// MARK: Wire

extension TaskRequest {
    var wire: WireValue {
        .object([
            "verb": .text("task"), "epoch": .count(epoch), "name": .text(name), "holder": holder.wire,
            "step": .text(step.rawValue), "duration": .count(duration),
        ])
    }

    init(wire: WireValue) throws(WireError) {
        epoch = try wire["epoch"].count()
        name = try wire["name"].text()
        holder = try wire["holder"].id()
        let text = try wire["step"].text()
        guard let step = Step(rawValue: text) else { throw WireError("an unknown step \(text.prefix(40))") }
        self.step = step
        duration = try wire["duration"].count()
    }
}

extension TaskState {
    var wire: WireValue {
        switch self {
        case .open: .array([.text("open")])
        case .mine: .array([.text("mine")])
        case .taken(let milliseconds): .array([.text("taken"), .count(milliseconds)])
        case .done: .array([.text("done")])
        }
    }

    init(wire: WireValue) throws(WireError) {
        let fields = try wire.array()
        switch (try fields.first?.text(), fields.count) {
        case ("open", 1): self = .open
        case ("mine", 1): self = .mine
        case ("taken", 2): self = .taken(try fields[1].count())
        case ("done", 1): self = .done
        default: throw WireError("an unknown state of a task")
        }
    }
}

extension TaskRow {
    var wire: WireValue {
        switch self {
        case .done: .null
        case .taken(let holder, let end): .array([holder.wire, .count(end)])
        }
    }

    init(wire: WireValue) throws(WireError) {
        guard let fields = try wire.optional({ value throws(WireError) in try value.fields(2) }) else {
            self = .done
            return
        }
        self = .taken(by: try fields[0].id(), until: try fields[1].count())
    }
}
