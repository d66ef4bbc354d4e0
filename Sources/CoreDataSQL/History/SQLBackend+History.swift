package import CoreDataStore
import CoreDataValues

/// The reading and pruning of the history that saves and batches write.
extension SQLBackend: HistoryBackend {
    package var keepsHistory: Bool { history != nil }

    package func historyExtent() throws(StoreError) -> HistoryExtent {
        guard let compiler = historyCompiler, let history else {
            return HistoryExtent(first: nil, last: HistoryMark(0))
        }
        return try read(.latest) { connection throws(SQLError) in
            switch history.form {
            case .serial: return try HistoryReader.extent(compiler, on: connection)
            case .concurrent:
                let moment = try HistoryMoment(on: connection)
                return HistoryExtent(first: moment.first, last: moment.mark)
            }
        }
    }

    package func keepsHistory(since mark: HistoryMark) throws(StoreError) -> Bool {
        guard history?.form == .concurrent else {
            guard mark.seen == nil else { return false }
            return try historyExtent().reaches(backTo: mark.number)
        }
        return try read(.latest) { connection throws(SQLError) in
            try HistoryMoment(on: connection).keeps(since: mark, on: connection)
        }
    }

    package func history(_ query: HistoryQuery) throws(StoreError) -> [HistoryTransaction] {
        guard let compiler = historyCompiler, let history else { return [] }
        return try matching(query) { matches, progress, connection throws(SQLError) in
            let reader = HistoryReader(compiler, schema, history, progress, on: connection)
            return try reader.transactions(query, matching: matches)
        }
    }

    package func countHistory(_ query: HistoryQuery) throws(StoreError) -> Int {
        guard historyCompiler != nil else { return 0 }
        return try matching(query, isCount: true) { matches, _, connection throws(SQLError) in
            try connection.count(matches)
        }
    }

    /// Runs the body with the query for the keys of what matches, in one read transaction.
    private func matching<Result>(
        _ query: HistoryQuery, isCount: Bool = false,
        _ body: (SQLFragment, HistoryProgress?, any SQLConnection) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        guard let compiler = historyCompiler else { preconditionFailure("there is no history") }
        // Finds mistakes in the filter before anything is read.
        let matches = try compiler.matches(query, isCount: isCount)
        return try read(.latest) { connection throws(SQLError) in
            guard history?.form == .concurrent else { return try body(matches, nil, connection) }
            let start: HistoryMark? = if case .mark(let mark) = query.start { mark } else { nil }
            let progress = try HistoryProgress(
                after: start, HistoryMoment(on: connection), on: connection)
            let unseen = start.flatMap { _ in
                try? compiler.matches(query, isCount: isCount, unseen: progress.numbers)
            }
            return try body(unseen ?? matches, progress, connection)
        }
    }

    package func pruneHistory(before position: HistoryPosition) throws(StoreError) -> Int {
        guard let history else { return 0 }
        return try write { connection throws(SQLError) in
            try connection.begin(.immediate)
            let count = try history.prune(before: position, on: connection)
            try connection.commit()
            return count
        }
    }
}
