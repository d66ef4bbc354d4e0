import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore

/// Looks for what is wrong in a store. Reads every table; costs a walk over each relationship's column.
package struct StoreCheck {
    package enum Depth: Sendable {
        /// What shows at once.
        case quick
        case full
    }

    private let store: OpenedStore
    private let depth: Depth

    package init(_ store: OpenedStore, depth: Depth = .full) {
        self.store = store
        self.depth = depth
    }

    /// - Parameter progress: called with steps done and steps in all.
    package func findings(progress: (Int, Int) -> Void = { _, _ in }) throws -> [Finding] {
        let connection = try store.connection()
        defer { connection.close() }
        let rules = depth == .full ? CheckRules.all : CheckRules.quick
        progress(0, rules.count + 1)
        var findings = try CheckRules.damage(on: connection, isQuick: depth == .quick)
        progress(1, rules.count + 1)
        guard let model = store.model else { return findings }
        let differing = store.metadata.differences(from: model.document)
        if !differing.isEmpty { findings.append(.differentModel(differing)) }
        let schema: StoreSchema
        do {
            schema = try store.schema(connection)
        } catch let error as StoreError {
            return findings + [.missingTables(error.message)]
        }
        let checked = CheckedStore(
            connection: connection, schema: schema, files: StoreFiles(store.url))
        for (index, rule) in rules.enumerated() {
            findings += try rule(checked)
            progress(index + 2, rules.count + 1)
        }
        return findings
    }
}
