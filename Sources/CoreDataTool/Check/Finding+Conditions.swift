import CoreDataSQL

// The faults of rows as conditions on `t`. Rules count the rows that meet them, and repairs change these
// rows.

extension ToOneColumn {
    private var belongs: SQLFragment {
        "t.\(column) IS NOT NULL AND t.Z_ENT IN (\(owners.listed()))"
    }

    private var destination: SQLFragment {
        "SELECT 1 FROM \(destinationTable) d WHERE d.Z_PK = t.\(column)"
    }

    var isDangling: SQLFragment { "\(belongs) AND NOT EXISTS (\(destination))" }

    var isMisdirected: SQLFragment {
        "\(belongs) AND EXISTS (\(destination) AND d.Z_ENT NOT IN (\(destinations.listed())))"
    }

    /// The condition that the entity stored beside the key is wrong; false for a reference without a column
    /// for it.
    var hasWrongEntity: SQLFragment {
        guard let entityColumn else { return "0" }
        return
            "\(belongs) AND EXISTS (\(destination) AND COALESCE(d.Z_ENT, 0) <> COALESCE(t.\(entityColumn), 0))"
    }

    func isOneSided(_ inverse: ToOneColumn) -> SQLFragment {
        "\(belongs) AND EXISTS (\(destination) AND COALESCE(d.\(inverse.column), 0) <> t.Z_PK)"
    }
}

extension OrderedColumn {
    var isWithoutPosition: SQLFragment {
        "t.\(ownerColumn) IS NOT NULL AND t.\(orderColumn) IS NULL"
    }
}

// Conditions on rows of the join table itself.
extension JoinEnds {
    var isDangling: SQLFragment { "\(first.isMissing) OR \(second.isMissing)" }

    /// The condition that both ends exist, but one belongs to an entity that the relationship does not allow.
    var isMisdirected: SQLFragment {
        "NOT (\(isDangling)) AND NOT (\(first.isAllowed) AND \(second.isAllowed))"
    }
}

extension JoinEnds.End {
    fileprivate var isMissing: SQLFragment { "\(column) NOT IN (SELECT Z_PK FROM \(table))" }

    fileprivate var isAllowed: SQLFragment {
        "\(column) IN (SELECT Z_PK FROM \(table) WHERE Z_ENT IN (\(entities.listed())))"
    }
}
