package import CoreDataStore

extension DatabaseStores where Backend == SQLBackend {
    /// Reports every later statement of the process, whichever driver runs it.
    package static func listen(
        _ detail: StatementDetail, _ sink: @escaping @Sendable (_ place: String, _ lines: [String]) -> Void
    ) -> any StatementListener {
        SQLLog.listen(detail) { entry in sink(entry.path, SQLLogText.lines(entry)) }
    }

    package static func observe(
        _ sink: @escaping @Sendable (StatementRecord) -> Void
    ) -> any StatementListener {
        SQLLog.listen(.statements) { entry in
            sink(
                StatementRecord(
                    place: entry.path, sql: entry.sql, rowCount: entry.outcome.rowCount,
                    failure: entry.outcome.failure, duration: entry.duration))
        }
    }
}

extension SQLLogEntry.Outcome {
    fileprivate var rowCount: Int? {
        switch self {
        case .returned(let count), .wrote(let count): count
        case .ran, .failed: nil
        }
    }

    fileprivate var failure: String? { if case .failed(let message) = self { message } else { nil } }
}
