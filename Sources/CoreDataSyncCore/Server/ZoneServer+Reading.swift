extension ZoneServer {
    /// Returns what has changed behind a cursor, in the order in which it did.
    ///
    /// An item that changes while a reader pages moves to the end and comes again. So the pages up to the one
    /// that is complete are together exactly the state at its number.
    package func pull(_ request: PullRequest, _ storage: some ZoneStorage) throws -> ChangesPage {
        try check(epoch: request.epoch, storage)
        let header = storage.header
        let cursor = request.cursor
        guard cursor.complete >= header.forgotten, cursor.sequence <= header.sequence else {
            throw Refusal.forgotten
        }
        let limit = max(1, min(request.limit, limits.page))
        let rows = try storage.rows(behind: cursor.sequence, cursor.item, limit: limit)
        let isComplete = rows.count < limit
        let end = isComplete ? header.sequence : rows[rows.count - 1].row.sequence
        let lost = try storage.log(behind: cursor.sequence, through: end).map(\.lost)
        let next =
            isComplete
            ? Cursor(complete: header.sequence)
            : Cursor(complete: cursor.complete, sequence: end, item: rows[rows.count - 1].key)
        return ChangesPage(
            updates: rows.map { ItemUpdate(item: $0.key, state: $0.row.news(since: cursor.complete)) },
            lost: lost, next: next, isComplete: isComplete, digest: header.digest.whole)
    }

    /// Returns what is there, in the order of keys. What is deleted meanwhile comes with the pull from the
    /// number of the first page.
    package func snapshot(_ request: SnapshotRequest, _ storage: some ZoneStorage) throws -> SnapshotPage {
        try check(epoch: request.epoch, storage)
        let limit = max(1, min(request.limit, limits.page))
        let rows = try storage.rows(after: request.after, limit: limit)
        return SnapshotPage(
            updates: rows.map { ItemUpdate(item: $0.key, state: $0.row.news(since: 0)) },
            head: storage.header.sequence, total: request.after == nil ? try storage.count() : nil,
            isComplete: rows.count < limit)
    }

    /// Returns the items in those buckets of the digest that differ, and what a replica has to know to tell
    /// what the server has forgotten from what it has lost.
    package func reconcile(
        _ request: ReconcileRequest, _ storage: some ZoneStorage
    ) throws -> ReconcileAnswer {
        let header = storage.header
        var differing = (request.from..<ZoneDigest.buckets).filter {
            header.digest.buckets[$0] != request.buckets[$0]
        }
        var next: Int?
        var rows: [(key: ItemKey, row: ZoneRow)] = []
        if let limit = request.limit.map({ max(1, min($0, limits.page)) }), differing.count > 1 {
            rows = try storage.rows(inBuckets: [differing[0]])
            // Items are spread evenly over the buckets.
            let count = max(1, limit / max(1, rows.count))
            next = count < differing.count ? differing[count] : nil
            differing = Array(differing.prefix(count))
            rows += try storage.rows(inBuckets: Set(differing.dropFirst()))
        } else {
            rows = try storage.rows(inBuckets: Set(differing))
        }
        let kept = header.restores.filter { $0.key >= request.epoch }.values.min()
        return ReconcileAnswer(
            epoch: header.epoch, head: header.sequence,
            updates: rows.map { ItemUpdate(item: $0.key, state: $0.row.news(since: 0)) },
            buckets: differing, keptUntil: kept, hasForgotten: header.forgottenEpoch > request.epoch,
            next: next)
    }
}

extension ZoneRow {
    /// Returns the state with the registers that are newer than a number; without any if the object is
    /// deleted.
    func news(since sequence: UInt64) -> ItemState {
        var result = state
        result.registers =
            state.isAlive ? state.registers.filter { sequences[$0.key, default: 0] > sequence } : [:]
        return result
    }
}
