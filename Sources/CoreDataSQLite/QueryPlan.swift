import CSQLite
import CoreDataSQL

/// SQLite's plan of a statement, from `EXPLAIN QUERY PLAN`.
enum QueryPlan {
    /// Returns one line for each step, indented below the step that it belongs to; no lines for a statement
    /// without a plan.
    static func lines(of sql: SQLText, on database: OpaquePointer) -> [String] {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database, "EXPLAIN QUERY PLAN \(sql)", -1, &handle, nil) == SQLITE_OK else {
            return []
        }
        defer { sqlite3_finalize(handle) }
        var depths: [Int32: Int] = [:]
        var lines: [String] = []
        while sqlite3_step(handle) == SQLITE_ROW {
            let depth = depths[sqlite3_column_int(handle, 1)].map { $0 + 1 } ?? 0
            depths[sqlite3_column_int(handle, 0)] = depth
            let text = sqlite3_column_text(handle, 3).map { String(cString: $0) } ?? ""
            lines.append(String(repeating: "  ", count: depth) + text)
        }
        return lines
    }
}
