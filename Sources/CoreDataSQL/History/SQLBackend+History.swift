package import CoreDataStore
import CoreDataValues

/// The reading and pruning of the history that saves and batches write.
extension SQLBackend: HistoryBackend {
    package var keepsHistory: Bool { history != nil }

    package func historyExtent() throws(StoreError) -> HistoryExtent {
        guard let compiler = historyCompiler else { return HistoryExtent(first: nil, last: 0) }
        return try read(.latest) { connection throws(SQLError) in
            try HistoryReader.extent(compiler, on: connection)
        }
    }

    package func history(_ query: HistoryQuery) throws(StoreError) -> [HistoryTransaction] {
        guard let compiler = historyCompiler, let history else { return [] }
        let matches = try compiler.matches(query)
        return try read(.latest) { connection throws(SQLError) in
            let reader = HistoryReader(compiler, schema, history, on: connection)
            return try reader.transactions(query, matching: matches)
        }
    }

    package func countHistory(_ query: HistoryQuery) throws(StoreError) -> Int {
        guard let compiler = historyCompiler else { return 0 }
        let matches = try compiler.matches(query, isCount: true)
        return try read(.latest) { connection throws(SQLError) in try connection.count(matches) }
    }

    package func pruneHistory(before position: HistoryPosition) throws(StoreError) -> Int {
        guard let history else { return 0 }
        return try write { connection throws(SQLError) in
            try connection.begin(.immediate)
            let count = try HistoryPruner.prune(
                before: position, hasStrings: history.hasStrings, on: connection)
            try connection.commit()
            return count
        }
    }
}
