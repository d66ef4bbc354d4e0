internal import CoreData
internal import CoreDataSyncCore

extension StoreReader {
    /// Whether the app has made one of the objects of an import since its capture: an object of the same identity.
    /// Once that is captured, the import finds it. One that is made later than this is merged by the server.
    ///
    /// - Parameter rows: The objects that the import makes.
    func hasMade(
        _ rows: [ImportPlan.Row], since position: HistoryPosition?, _ ledger: TrackedLedger
    ) async throws -> Bool {
        let schema = binding.schema
        let rows = rows.filter { !(schema.entities[$0.entity]?.identity.isEmpty ?? true) }
        guard let position, !rows.isEmpty else { return false }
        let (ids, names) = (Set(rows.map(\.id)), Set(rows.map(\.entity)))
        let context = access.makeContext()
        return try await context.perform {
            // What a history that is gone would have told is found by reading all.
            guard let history = try StoreHistory(after: position, of: access, in: context) else {
                return true
            }
            let changed = history.changed.keys.filter { id in
                binding.entity(named: id.entity.name).map { names.contains($0.stableName) } ?? false
            }
            ledger.load(WorkingSet(names: Set(changed.compactMap { binding.local($0) })))
            let candidates = changed.filter { binding.local($0).flatMap { ledger.id(of: $0) } == nil }
            return try capturedRows(candidates, in: context).contains { row in
                row.identity(schema).map { ids.contains(ledger.resolved($0)) } ?? false
            }
        }
    }
}
