import CoreData
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// A repair of a copy of a store, for the findings of a check.
package struct StoreRepair {
    private let findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
    }

    /// The findings that can be repaired, each with its remedy, one line each.
    package var plan: [String] {
        findings.compactMap { finding in finding.repair.map { "\(finding.text) -> \($0.text)" } }
    }

    /// Copies the store with its log and large values, and repairs the copy; a failure leaves no copy.
    package func repair(_ store: OpenedStore, copyTo target: URL) throws {
        try StoreFiles.requireNone(at: target)
        let draft = try StoreDraft(ofType: NSSQLiteStoreType, for: target)
        try store.copy(to: draft.url)
        try run(on: StoreFiles(draft.url))
        try StoreFiles.publish(draft, at: target)
    }

    private func run(on copy: StoreFiles) throws {
        let connection = try SQLiteConnection(path: copy.database.path, access: .readWrite)
        defer { connection.close() }
        try connection.trustIndexes()
        let repairs = findings.compactMap(\.repair)
        if repairs.contains(.rebuild) { try connection.execute("REINDEX") }
        try connection.begin(.immediate)
        for case .statements(let statements, _) in repairs {
            for statement in statements { _ = try connection.rows(statement) }
        }
        try connection.commit()
        if repairs.contains(.rebuild) { try connection.execute("VACUUM") }
        for case .removeFiles(let names) in repairs {
            copy.externalData.remove(names)
        }
    }
}
