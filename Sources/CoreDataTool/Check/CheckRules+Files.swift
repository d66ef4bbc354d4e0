import CoreDataSQL
import Foundation

extension CheckRules {
    /// Compares large values with their files (sqlite-store §6).
    @Sendable
    static func files(_ store: CheckedStore) throws -> [Finding] {
        guard let files = store.files else { return [] }
        let present = files.externalFiles()
        let readable = Set(present.filter { $0.size > 0 }.map(\.name))
        var named: Set<String> = []
        var findings: [Finding] = []
        for column in store.blobs {
            var missing: [Int64] = []
            for (key, name) in try references(column, store.connection) {
                named.insert(name)
                if !readable.contains(name) { missing.append(key) }
            }
            if !missing.isEmpty { findings.append(.missingFiles(column, keys: missing)) }
            let unknown = try unknownForms(column, store.connection)
            if !unknown.isEmpty { findings.append(.unreadableValues(column, keys: unknown)) }
        }
        let orphans = present.filter { !named.contains($0.name) }
        if !orphans.isEmpty {
            findings.append(
                .orphanedFiles(orphans.map(\.name), size: orphans.reduce(0) { $0 + $1.size }))
        }
        return findings
    }

    /// Returns the keys of rows whose value begins with neither marker.
    private static func unknownForms(
        _ column: BlobColumn, _ connection: any SQLConnection
    ) throws(SQLError) -> [Int64] {
        let name = column.column
        let rows = try connection.rows(
            """
            SELECT Z_PK FROM \(column.table) \
            WHERE Z_ENT IN (\(column.owners.listed())) AND LENGTH(\(name)) > 0 \
            AND SUBSTR(\(name), 1, 1) <> x'01' \
            AND NOT (SUBSTR(\(name), 1, 1) = x'02' AND LENGTH(\(name)) = 38)
            """)
        return rows.compactMap { $0[0].integer }
    }

    /// Returns the keys of rows whose value is marker 02 and the name of a file.
    private static func references(
        _ column: BlobColumn, _ connection: any SQLConnection
    ) throws(SQLError) -> [(key: Int64, file: String)] {
        let name = column.column
        let rows = try connection.rows(
            """
            SELECT Z_PK, CAST(SUBSTR(\(name), 2, 36) AS TEXT) FROM \(column.table) \
            WHERE Z_ENT IN (\(column.owners.listed())) AND LENGTH(\(name)) = 38 \
            AND SUBSTR(\(name), 1, 1) = x'02'
            """)
        return rows.compactMap { row in
            guard let key = row[0].integer, let name = row[1].text, UUID(uuidString: name) != nil else {
                return nil
            }
            return (key, name)
        }
    }
}
