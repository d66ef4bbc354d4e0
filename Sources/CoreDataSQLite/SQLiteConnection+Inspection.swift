package import CoreDataSQL
import CoreDataStore

extension SQLiteStores: InspectableStores {}

extension SQLiteConnection: InspectedConnection {
    package var dialect: any SQLDialect { SQLiteDialect() }

    package func plan(of query: SQLFragment) throws(SQLError) -> [String] {
        QueryPlan.lines(of: query.sql, on: database)
    }

    package func facts() throws(SQLError) -> DatabaseFacts {
        var journalMode = ""
        try forEachRow(of: "PRAGMA journal_mode") { row in
            if case .text(let mode) = row.value(at: 0) { journalMode = mode }
        }
        return DatabaseFacts(
            .file(
                pageSize: Int64(try count("PRAGMA page_size")),
                freePageCount: Int64(try count("PRAGMA freelist_count")), journalMode: journalMode),
            indexCount: try definitionCount("index"), triggerCount: try definitionCount("trigger"))
    }

    private func definitionCount(_ kind: String) throws(SQLError) -> Int64 {
        Int64(try count("SELECT COUNT(*) FROM sqlite_master WHERE type = \(bind: .text(kind))"))
    }

    package func highestKey(of table: EntityTable) throws(SQLError) -> Int64 {
        Int64(try count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: .integer(table.number))"))
    }
}
