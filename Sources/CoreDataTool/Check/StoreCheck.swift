import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore

/// A search for faults in a store, which reads every table and every relationship column.
package struct StoreCheck {
    package enum Depth: Sendable {
        /// Only the checks that take little time: of the pages of the database and of the highest keys.
        case quick
        case full
    }

    private let store: OpenedStore
    private let depth: Depth

    package init(_ store: OpenedStore, depth: Depth = .full) {
        self.store = store
        self.depth = depth
    }

    /// Returns the findings.
    ///
    /// - Parameter progress: Called with the number of finished steps and the number of all steps.
    package func findings(progress: (Int, Int) -> Void = { _, _ in }) throws -> [Finding] {
        let connection = try store.connection()
        defer { connection.close() }
        let rules = depth == .full ? CheckRules.all : CheckRules.quick
        progress(0, rules.count + 1)
        var findings = try store.damage(isQuick: depth == .quick).map { Finding.damagedDatabase($0) }
        progress(1, rules.count + 1)
        findings += [store.damage.metadata, store.damage.model].compactMap { $0.map { .damagedRecord($0) } }
        guard let model = store.model else { return findings }
        let differing = store.differences(from: model)
        if !differing.isEmpty { findings.append(.differentModel(differing)) }
        do { try store.requireFiniteTables() } catch is ToolError { return findings }
        let schema: StoreSchema
        do {
            schema = try store.schema(connection)
        } catch let error as StoreError {
            return findings + [.missingTables(error.message)]
        }
        let checked = CheckedStore(
            connection: connection, schema: schema, files: store.files)
        for (index, rule) in rules.enumerated() {
            do {
                findings += try rule(checked)
            } catch let error as SQLError where error.kind == .corrupt {
                // The rule failed because it had to read a damaged page.
                let damage = Finding.damagedDatabase(error.message)
                if !findings.contains(damage) { findings.append(damage) }
            }
            progress(index + 2, rules.count + 1)
        }
        return findings
    }
}
