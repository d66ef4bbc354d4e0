/// Other connections write at the same time, so rows that a save relies on are locked.
extension PostgreSQLDialect: WriteDialect {
    package var insertGroup: SQLText { "INSERT" }
    /// Each batch takes round trips.
    package var rowsPerBatch: Int { 4000 }

    /// Spells one constraint as ON CONFLICT, which takes no more. With several, the statement looks for the
    /// stored row itself, and inserts if there is none.
    package func upsert(_ upsert: Upsert) -> SQLText {
        guard upsert.constraints.count > 1 else {
            let arbiter = Self.arbiter(upsert.constraints.first ?? [])
            return "\(upsert.insert) ON CONFLICT (\(arbiter)) DO UPDATE \(upsert.update)\(upsert.end)"
        }
        let (table, names) = (upsert.table, upsert.names.joined(separator: ", "))
        func holds(_ columns: [IndexedColumn], _ row: SQLText) -> SQLText {
            let conditions = columns.flatMap { column -> [SQLText] in
                let values: [SQLFragment] = ["\(row).\(column.name)", "excluded.\(column.name)"]
                // The beginning of a text finds it in an index.
                return (column.isText ? [values.map(beginning), values] : [values]).map {
                    "\($0[0].sql) = \($0[1].sql)"
                }
            }
            return "(\(conditions.joined(separator: " AND ")))"
        }
        let holders = upsert.constraints.enumerated().map { place, columns -> SQLText in
            "SELECT h.Z_PK AS k, \(place) AS place FROM \(table) AS h, excluded WHERE \(holds(columns, "h"))"
        }.joined(separator: " UNION ALL ")
        // The row may have other values by the time that it is locked.
        let stillHolds = upsert.constraints.map { holds($0, "\(table)") }.joined(separator: " OR ")
        let condition: SQLText = upsert.condition.map { " AND (\($0))" } ?? ""
        let met: SQLText = upsert.condition == nil ? "updated" : "holder"
        return """
            WITH excluded (\(names)) AS (VALUES \(upsert.row)), \
            holder AS (SELECT k FROM (\(holders)) AS h ORDER BY place LIMIT 1), \
            updated AS (UPDATE \(table) \(upsert.update) FROM excluded, holder \
            WHERE \(table).Z_PK = holder.k AND (\(stillHolds))\(condition) \
            RETURNING \(table).Z_PK, \(table).Z_ENT), \
            inserted AS (INSERT INTO \(table) (\(names)) SELECT * FROM excluded \
            WHERE NOT EXISTS (SELECT 1 FROM holder) ON CONFLICT DO NOTHING RETURNING Z_PK, Z_ENT) \
            SELECT Z_PK, Z_ENT FROM updated UNION ALL SELECT Z_PK, Z_ENT FROM inserted \
            UNION ALL SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM \(met)) \
            AND NOT EXISTS (SELECT 1 FROM inserted)
            """
    }

    /// Spells a column with its table, since a bare name could also be a column of the new row.
    package func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText { "\(table).\(column)" }

    package var markTable: SQLText { "pg_temp.Z_BATCH" }

    package var markTableDefinition: SQLText {
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS Z_BATCH \
        (ROOT bigint, KEY bigint, ENTITY bigint, PRIMARY KEY (ROOT, KEY))
        """
    }

    package var errorsEndTransactions: Bool { true }
    package var rowLock: SQLText { " FOR SHARE" }
}
