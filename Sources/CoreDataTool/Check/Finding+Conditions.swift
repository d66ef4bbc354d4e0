import CoreDataSQL

// What is wrong with a row, as conditions on `t`: rules count by them, and repairs change what they are true of.

extension ToOneColumn {
    private var belongs: SQLFragment {
        "t.\(quoted(column)) IS NOT NULL AND t.Z_ENT IN (\(Self.list(owners)))"
    }

    private var destination: SQLFragment {
        "SELECT 1 FROM \(quoted(destinationTable)) d WHERE d.Z_PK = t.\(quoted(column))"
    }

    var isDangling: SQLFragment { "\(belongs) AND NOT EXISTS (\(destination))" }

    var isMisdirected: SQLFragment {
        "\(belongs) AND EXISTS (\(destination) AND d.Z_ENT NOT IN (\(Self.list(destinations))))"
    }

    /// False for a reference without such a column.
    var hasWrongEntity: SQLFragment {
        guard let entityColumn else { return "0" }
        return "\(belongs) AND EXISTS (\(destination) AND d.Z_ENT IS NOT t.\(quoted(entityColumn)))"
    }

    func isOneSided(_ inverse: ToOneColumn) -> SQLFragment {
        "\(belongs) AND EXISTS (\(destination) AND d.\(quoted(inverse.column)) IS NOT t.Z_PK)"
    }

    static func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
}

extension OrderedColumn {
    var isWithoutPosition: SQLFragment {
        "t.\(quoted(ownerColumn)) IS NOT NULL AND t.\(quoted(orderColumn)) IS NULL"
    }
}

extension JoinEnds {
    /// On rows of the join table itself.
    var isDangling: SQLFragment {
        """
        \(quoted(firstColumn)) NOT IN (SELECT Z_PK FROM \(quoted(firstTable))) \
        OR \(quoted(secondColumn)) NOT IN (SELECT Z_PK FROM \(quoted(secondTable)))
        """
    }
}
