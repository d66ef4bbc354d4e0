import CoreDataSQL

// The faults of rows as conditions on `t`, by which rules count rows and repairs choose the rows to change.

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

    /// The condition that the entity beside the key is wrong; false for a reference without such a column.
    var hasWrongEntity: SQLFragment {
        guard let entityColumn else { return "0" }
        return "\(belongs) AND EXISTS (\(destination) AND d.Z_ENT IS NOT t.\(entityColumn))"
    }

    func isOneSided(_ inverse: ToOneColumn) -> SQLFragment {
        "\(belongs) AND EXISTS (\(destination) AND d.\(inverse.column) IS NOT t.Z_PK)"
    }
}

extension OrderedColumn {
    var isWithoutPosition: SQLFragment {
        "t.\(ownerColumn) IS NOT NULL AND t.\(orderColumn) IS NULL"
    }
}

extension JoinEnds {
    /// The condition that an end is missing, on rows of the join table itself.
    var isDangling: SQLFragment {
        """
        \(firstColumn) NOT IN (SELECT Z_PK FROM \(firstTable)) \
        OR \(secondColumn) NOT IN (SELECT Z_PK FROM \(secondTable))
        """
    }
}
