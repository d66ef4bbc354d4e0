extension ZoneServer {
    /// Removes deletions and losers that have not changed since a time.
    ///
    /// A replica that has not seen these deletions is refused from now on, until it has compared all it has.
    package func forget<Storage: ZoneStorage>(
        _ storage: inout Storage, changedBefore milliseconds: UInt64
    ) throws {
        for key in try storage.forgettable(changedBefore: milliseconds) {
            guard let row = try storage.row(key) else { continue }
            storage.header.forgottenEpoch = storage.header.epoch
            storage.header.forgotten = max(storage.header.forgotten, row.sequence)
            storage.header.forgottenTime = max(storage.header.forgottenTime, row.state.stamp.time)
            try storage.forget(key)
        }
        try storage.removeLog(changedBefore: milliseconds)
        try storage.removeReceipts(takenBefore: milliseconds)
    }

    /// Declares that the zone was restored from a backup, so that replicas bring back what it lost.
    package func beginEpoch(_ storage: inout some ZoneStorage, after lost: UInt64) {
        storage.header.restores[max(lost, storage.header.epoch)] = storage.header.sequence
        storage.header.epoch = max(lost, storage.header.epoch) + 1
        // The clock may be another one, and who has taken a task takes it again.
        storage.header.tasks = storage.header.tasks.filter { $0.value == .done }
    }
}
