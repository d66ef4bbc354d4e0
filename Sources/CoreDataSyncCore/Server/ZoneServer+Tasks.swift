/// Tasks that one device of a zone does for all of them.
extension ZoneServer {
    /// Gives a task to who asks, or takes it back. Nobody has a task that is done, or that another one has taken and
    /// not finished in time.
    func task(
        _ request: TaskRequest, _ storage: inout some ZoneStorage, milliseconds: UInt64
    ) throws -> TaskState {
        try check(epoch: request.epoch, storage)
        guard (1...limits.taskName).contains(request.name.utf8.count) else {
            throw Refusal.invalid("the name of a task has one to \(limits.taskName) bytes")
        }
        let present = storage.header.tasks[request.name]
        switch present {
        case .done: return .done
        case .taken(let holder, let end) where holder != request.holder && end > milliseconds:
            return .taken(end - milliseconds)
        case .taken, nil: break
        }
        switch request.step {
        case .take:
            guard present != nil || storage.header.tasks.count < limits.tasks else {
                throw Refusal.invalid("a zone has at most \(limits.tasks) tasks")
            }
            let (end, isTooLate) = milliseconds.addingReportingOverflow(min(request.duration, limits.task))
            storage.header.tasks[request.name] = .taken(by: request.holder, until: isTooLate ? .max : end)
            return .mine
        case .finish:
            // Another one may have taken the task meanwhile, and have left it.
            guard case .taken(request.holder, _) = present else { return .open }
            storage.header.tasks[request.name] = .done
            return .done
        case .leave:
            if case .taken(request.holder, _) = present { storage.header.tasks[request.name] = nil }
            return .open
        }
    }
}
