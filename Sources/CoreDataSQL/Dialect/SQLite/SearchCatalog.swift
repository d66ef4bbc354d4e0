/// The full-text indexes of a store: the statements that made their tables and triggers.
package struct SearchCatalog: Sendable {
    private var tables: [SQLIdentifier: SQLText] = [:]
    private var triggers: [SQLIdentifier: SQLText] = [:]

    package init(reading connection: any SQLConnection) throws(SQLError) {
        let objects = try connection.prepare(
            """
            SELECT name, type, sql FROM sqlite_master WHERE name GLOB \(quoting: SearchTable.prefix + "*") \
            AND (type = 'trigger' OR type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%')
            """)
        defer { objects.reset() }
        while try objects.step() {
            guard case .text(let name) = objects.value(at: 0), case .text(let type) = objects.value(at: 1),
                case .text(let sql) = objects.value(at: 2)
            else { continue }
            let (object, definition) = (SQLIdentifier(name), SQLText(stored: sql))
            if type == "table" { tables[object] = definition } else { triggers[object] = definition }
        }
    }

    /// Returns whether an index exists and is kept up to date.
    ///
    /// A migration by Apple's framework drops the triggers of a table, and an index without them cannot be
    /// trusted.
    package func has(_ table: SearchTable) -> Bool {
        table.definitions.allSatisfy { (tables[$0.name] ?? triggers[$0.name]) == $0.statement }
    }

    /// Returns the statements that drop indexes which are not wanted, and make the wanted ones that are
    /// missing.
    package func statements(toHave wanted: [SearchTable]) -> [SQLFragment] {
        let missing = wanted.filter { !has($0) }
        let kept = Set(wanted.filter(has).flatMap { $0.definitions.map(\.name) })
        let oldTriggers = triggers.keys.filter { !kept.contains($0) }.sorted()
        let oldTables = tables.keys.filter { !kept.contains($0) }.sorted()
        return oldTriggers.map { "DROP TRIGGER \($0)" } + oldTables.map { "DROP TABLE \($0)" }
            + missing.flatMap { table in
                table.definitions.map { SQLFragment($0.statement) } + [table.fill]
            }
    }
}
