import CoreDataSQL
import Foundation

/// The tables that statements read as a whole, by the plans of the databases that they ran on, as these are now.
package final class StatementScans {
    private var connections: [String: (any InspectedConnection)?] = [:]

    package init() {}

    deinit {
        for case let connection? in connections.values { connection.close() }
    }

    /// Returns the tables that a statement reads as a whole; none if the store is gone, or on a server.
    package func tables(_ place: String, _ sql: String) -> [String] {
        guard place.hasPrefix("/"), let connection = connection(to: place),
            let plan = try? connection.plan(of: SQLFragment(SQLText(stored: sql), bindings: []))
        else { return [] }
        return plan.compactMap { step in
            let words = step.split(separator: " ")
            // With an index a scan reads that, in its order.
            guard words.first == "SCAN", words.count > 1, !step.contains("USING") else { return nil }
            return Self.table(String(words[1]), in: sql)
        }
    }

    private func connection(to place: String) -> (any InspectedConnection)? {
        if let known = connections[place] { return known }
        let connection = try? OpenedStore(at: URL(fileURLWithPath: place)).connection()
        connections[place] = .some(connection)
        return connection
    }

    /// Returns the table that a statement calls by a name: `ZBOOK` for `t0` if it has `FROM ZBOOK t0`, or
    /// `JOIN ZBOOK AS t0`. Nil for what is no table, such as a subquery.
    private static func table(_ name: String, in sql: String) -> String? {
        let words = sql.split { " (),".contains($0) }.filter { $0 != "AS" }
        for index in words.indices.dropFirst() where words[index] == name {
            if ["FROM", "JOIN"].contains(words[index - 1]) { return name }
            if index > 1, ["FROM", "JOIN"].contains(words[index - 2]) { return String(words[index - 1]) }
        }
        return nil
    }
}
