package import CoreDataSQL

/// The remedy for a finding.
package enum Repair: Sendable, Equatable {
    /// Runs statements; the string describes what they do.
    case statements([SQLFragment], String)
    /// Rebuilds the indexes and rewrites the pages, by SQLite's own commands.
    case rebuild
    /// Removes files from the copy.
    case removeFiles([String])

    package var text: String {
        switch self {
        case .statements(_, let text): text
        case .rebuild: "rebuild the indexes and rewrite the pages"
        case .removeFiles: "remove the files"
        }
    }
}

extension Finding {
    /// The remedy; nil if only a person who knows the app can decide on one.
    package var repair: Repair? {
        switch self {
        case .damagedDatabase: .rebuild
        case .damagedRecord, .differentModel, .missingTables, .strangeEntityNumber, .impossibleKey: nil
        case .danglingReference(let column, _):
            .statements([column.clear(where: column.isDangling)], "empty the relationship")
        case .misdirectedReference(let column, _):
            .statements([column.clear(where: column.isMisdirected)], "empty the relationship")
        case .wrongEntityColumn(let column, _):
            .statements(column.correctEntity, "correct the entity")
        case .oneSided(let column, let inverse, _):
            .statements(
                inverse.adopt(from: column) + [column.clear(where: column.isOneSided(inverse))],
                "complete the other side where it is empty, otherwise empty this side")
        case .missingPosition(let column, _):
            .statements([column.appendMissing], "move them to the end")
        case .danglingMember(let join, _):
            .statements(
                ["DELETE FROM \(join.table) WHERE \(join.isDangling)"], "remove the rows")
        case .misdirectedMember(let join, _):
            .statements(
                ["DELETE FROM \(join.table) WHERE \(join.isMisdirected)"], "remove the rows")
        case .lowHighestKey(_, let number, _, let used):
            .statements(
                [
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: .integer(used)) WHERE Z_ENT = \(bind: .integer(number))"
                ],
                "record the highest key in use")
        case .missingFiles(let column, let keys), .unreadableValues(let column, let keys):
            .statements(column.clear(keys), "empty the attribute")
        case .orphanedFiles(let names, _): .removeFiles(names)
        case .historyWithoutTransaction:
            .statements(
                ["DELETE FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)"],
                "remove the changes")
        }
    }
}

extension ToOneColumn {
    /// Returns the statement that sets the reference to nil in rows of `t` that meet the condition.
    fileprivate func clear(where condition: SQLFragment) -> SQLFragment {
        let columns = [column, entityColumn, orderColumn].compactMap { $0 }
        let cleared = columns.map { "\($0) = NULL" as SQLText }.joined(separator: ", ")
        return """
            UPDATE \(table) SET \(cleared), Z_OPT = Z_OPT + 1 WHERE Z_PK IN \
            (SELECT t.Z_PK FROM \(table) t WHERE \(condition))
            """
    }

    fileprivate var correctEntity: [SQLFragment] {
        guard let entityColumn else { return [] }
        return [
            """
            UPDATE \(table) SET \(entityColumn) = (SELECT d.Z_ENT FROM \
            \(destinationTable) d WHERE d.Z_PK = \(column)) WHERE Z_PK IN \
            (SELECT t.Z_PK FROM \(table) t WHERE \(hasWrongEntity))
            """
        ]
    }

    /// Returns the statements that set this side, where it is empty, to the object whose other side refers to
    /// it; if several do, to the one with the lowest key.
    fileprivate func adopt(from other: ToOneColumn) -> [SQLFragment] {
        let source: SQLFragment = """
            FROM \(other.table) o WHERE o.\(other.column) = \(table).Z_PK \
            AND o.Z_ENT IN (\(other.owners.listed()))
            """
        var sets = "\(column) = (SELECT MIN(o.Z_PK) \(source))" as SQLFragment
        if let entityColumn {
            sets.append(
                ", \(entityColumn) = (SELECT o.Z_ENT \(source) ORDER BY o.Z_PK LIMIT 1)")
        }
        return [
            """
            UPDATE \(table) SET \(sets), Z_OPT = Z_OPT + 1 WHERE \(column) IS NULL \
            AND Z_ENT IN (\(owners.listed())) AND EXISTS (SELECT 1 \(source))
            """
        ]
    }
}

extension OrderedColumn {
    /// The statement that gives members without a position positions after the last member of their owner,
    /// 1024 apart (sqlite-store §7).
    fileprivate var appendMissing: SQLFragment {
        let selected = keyColumns.enumerated().map { "m.\($1) AS K\($0)" as SQLText }.joined(separator: ", ")
        let same = keyColumns.enumerated().map { "\(table).\($1) = n.K\($0)" as SQLText }.joined(
            separator: " AND ")
        let sorted = keyColumns.map { "m.\($0)" as SQLText }.joined(separator: ", ")
        return SQLFragment(
            """
            UPDATE \(table) SET \(orderColumn) = n.POSITION FROM (SELECT \(selected), \
            COALESCE((SELECT MAX(x.\(orderColumn)) FROM \(table) x \
            WHERE x.\(ownerColumn) = m.\(ownerColumn)), 1024) \
            + 1024 * ROW_NUMBER() OVER (PARTITION BY m.\(ownerColumn) ORDER BY \(sorted)) AS POSITION \
            FROM \(table) m WHERE m.\(ownerColumn) IS NOT NULL AND m.\(orderColumn) IS NULL) n WHERE \(same)
            """)
    }
}

extension BlobColumn {
    fileprivate func clear(_ keys: [Int64]) -> [SQLFragment] {
        keys.map {
            """
            UPDATE \(table) SET \(column) = NULL, Z_OPT = Z_OPT + 1 \
            WHERE Z_PK = \(bind: .integer($0))
            """
        }
    }
}
