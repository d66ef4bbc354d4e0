package import CoreDataStore

extension DatabaseStores where Backend == SQLBackend {
    /// Reports every later statement of the process, whichever driver runs it.
    package static func listen(
        _ detail: StatementDetail, _ sink: @escaping @Sendable (_ place: String, _ lines: [String]) -> Void
    ) -> any StatementListener {
        SQLLog.listen(detail) { entry in sink(entry.path, SQLLogText.lines(entry)) }
    }
}
