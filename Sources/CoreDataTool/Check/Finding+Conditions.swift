import CoreDataSQL

// What is wrong with a row, as conditions on `t`: rules count by them, and repairs change what they are true of.

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

    /// False for a reference without such a column.
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
    /// On rows of the join table itself.
    var isDangling: SQLFragment {
        """
        \(firstColumn) NOT IN (SELECT Z_PK FROM \(firstTable)) \
        OR \(secondColumn) NOT IN (SELECT Z_PK FROM \(secondTable))
        """
    }
}
