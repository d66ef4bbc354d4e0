import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A table of the new model: its columns, and the table of the store that it is made from.
struct TargetTable {
    let layout: TableLayout
    /// The table of the store; nil if a new one is made.
    let base: SQLIdentifier?
    let columns: [TargetColumn]
    /// The columns of the base that become columns of the new table as they are, for all rows: the new names
    /// by the old.
    let carried: [SQLIdentifier: SQLIdentifier]

    init(_ layout: TableLayout, _ columns: [TargetColumn], _ moves: EntityMoves) {
        self.layout = layout
        self.columns = columns
        base = moves.bases[layout.name]
        carried = base.map { Self.carried(from: $0, to: columns, moves) } ?? [:]
    }

    var name: SQLIdentifier { layout.name }

    /// The columns that are not carried over from the base.
    var added: [TargetColumn] {
        let carried = Set(carried.values)
        return columns.filter { !carried.contains($0.name) }
    }

    /// Returns whether a column has values from the store.
    func hasSource(_ name: SQLIdentifier) -> Bool {
        columns.first { $0.name == name }?.sources.values.contains { $0 != nil } ?? false
    }

    private static func carried(
        from base: SQLIdentifier, to columns: [TargetColumn], _ moves: EntityMoves
    ) -> [SQLIdentifier: SQLIdentifier] {
        var result: [SQLIdentifier: SQLIdentifier] = [:]
        // Columns that keep their name come first: if two columns of the new table come from one of the base,
        // the column with the same name takes it over.
        let ordered = columns.sorted(by: \.name).sorted { $0.isNamed ? 0 : 1 }
        for column in ordered {
            let sources = stayingSources(of: column, in: base, moves)
            guard let name = sources.first?.column, result[name] == nil,
                sources.allSatisfy({ $0.column == name && $0.conversion == nil })
            else { continue }
            result[name] = column.name
        }
        return result
    }

    /// Returns the sources of a column in rows that stay in the base.
    private static func stayingSources(
        of column: TargetColumn, in base: SQLIdentifier, _ moves: EntityMoves
    ) -> [TargetColumn.Source] {
        column.sources.sorted(by: \.key).compactMap { entity, source in
            guard let move = moves.moves[entity], move.copiedWithOffset == nil, move.oldTable == base else {
                return nil
            }
            return source
        }
    }
}

extension TargetColumn {
    /// Whether the column comes from one of its own name.
    fileprivate var isNamed: Bool { sources.values.contains { $0?.column == name } }
}
