import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Tables and columns: renamed, new and dropped ones.
extension MigrationPlanner {
    // MARK: Tables

    mutating func renameTables(_ joins: [JoinOrigin]) {
        var renames: [SQLIdentifier: SQLIdentifier] = [:]
        for (table, base) in moves.bases { renames[base] = table }
        for join in joins {
            if case .kept(let name, _) = join.origin {
                renames[name] = join.table.name
                keptJoins.insert(name)
            }
        }
        let wanted = Set(target.tables.map(\.name) + joins.map(\.table.name))
        for step in RenameOrder.steps(renames, occupied: Set(catalog.tables.keys), wanted: wanted) {
            plan.run(
                "rename tables", .renames(from: step.from, to: step.to),
                SQLFragment("ALTER TABLE \(step.from) RENAME TO \(step.to)"))
            guard let table = tables.first(where: { $0.value.name == step.from })?.key else { continue }
            tables[table]?.name = step.to
            rebuilt.insert(table)
        }
        for layout in target.tables where moves.bases[layout.name] == nil {
            plan.run("make the table of \(name(of: layout.root))", .creates(layout.name), layout.definition)
        }
        for join in joins {
            switch join.origin {
            case .kept(let name, let columns): renameColumns(of: name, columns)
            case .made:
                plan.run(
                    "make the join table \(join.table.name)", .creates(join.table.name), join.table.definition
                )
            }
        }
    }

    private mutating func renameColumns(
        of table: SQLIdentifier, _ renames: [SQLIdentifier: SQLIdentifier], wanted: Set<SQLIdentifier> = []
    ) {
        let occupied = Set((catalog.tables[table] ?? [:]).keys)
        for step in RenameOrder.steps(renames, occupied: occupied, wanted: wanted) {
            plan.run(
                "rename columns", .definition,
                SQLFragment(
                    "ALTER TABLE \(current(table).name) RENAME COLUMN \(step.from) TO \(step.to)"
                ))
            guard let column = tables[table]?.columns.first(where: { $0.value == step.from })?.key else {
                continue
            }
            tables[table]?.columns[column] = step.to
            rebuilt.insert(table)
        }
    }

    // MARK: Columns

    /// Returns the columns of an old table that become columns of the new one as they are, for all rows: the
    /// new names by the old.
    private func carried(
        _ base: SQLIdentifier, _ columns: [TargetColumn]
    ) -> [SQLIdentifier: SQLIdentifier] {
        var result: [SQLIdentifier: SQLIdentifier] = [:]
        // Columns that keep their name come first: what two columns of the new table come from stays with the
        // one of that name.
        let ordered = columns.sorted { ($0.isNamed ? 0 : 1, $0.name) < ($1.isNamed ? 0 : 1, $1.name) }
        for column in ordered {
            let sources = basedSources(of: column, base)
            guard let name = sources.first?.column, result[name] == nil,
                sources.allSatisfy({ $0.column == name && $0.conversion == nil })
            else { continue }
            result[name] = column.name
        }
        return result
    }

    private func isCarried(_ column: TargetColumn, _ layout: TableLayout) -> Bool {
        carried[layout.name]?.contains(column.name) ?? false
    }

    /// Returns the sources of a column in rows that stay where they are.
    private func basedSources(of column: TargetColumn, _ base: SQLIdentifier) -> [TargetColumn.Source] {
        column.sources.sorted { $0.key < $1.key }.compactMap { entity, source in
            guard let move = moves.moves[entity], move.copiedWithOffset == nil, move.oldTable == base else {
                return nil
            }
            return source
        }
    }

    mutating func arrangeColumns(of layout: TableLayout, _ columns: [TargetColumn]) {
        guard let base = moves.bases[layout.name] else { return }
        let carried = carried(base, columns)
        self.carried[layout.name] = Set(carried.values)
        let added = columns.filter { !isCarried($0, layout) }
        renameColumns(of: base, carried, wanted: Set(added.map(\.name)))
        for column in added {
            plan.run(
                "add columns", .definition,
                SQLFragment("ALTER TABLE \(layout.name) ADD COLUMN \(column.name) \(column.declaredType)"))
        }
        let owned = ownedColumns(of: base)
        let displaced = current(base).columns.filter { $0.key != $0.value && carried[$0.key] == nil }.keys
        leftovers[base] = owned.union(displaced).subtracting(carried.keys).sorted()
        if !added.isEmpty || !leftovers[base]!.isEmpty { rebuilt.insert(base) }
        // A kept column is cleared in rows that had another value in it.
        for column in columns {
            guard let old = carried.first(where: { $0.value == column.name })?.key else { continue }
            let strangers = column.sources.keys.filter { entity in
                guard let move = moves.moves[entity], column.sources[entity] == .some(nil) else {
                    return false
                }
                return move.copiedWithOffset == nil && self.columns(of: move.source).contains(old)
            }
            if strangers.isEmpty { continue }
            plan.run(
                "clear values of columns that have another meaning", .scans(layout.name),
                SQLFragment("UPDATE \(layout.name) SET \(column.name) = NULL\(rows(of: strangers))"))
        }
    }

    /// Returns the columns of a table of the store that belong to its model.
    private func ownedColumns(of table: SQLIdentifier) -> Set<SQLIdentifier> {
        var result: Set<SQLIdentifier> = []
        for entity in source.entities.compactMap({ $0 }) {
            if entity.tableName == table { result.formUnion(columns(of: entity.entity)) }
            for case .foreignKey(table, let column, let order, true) in entity.toMany.values {
                result.insert(column)
                if let order { result.insert(order) }
            }
        }
        return result
    }

    /// Returns the columns that rows of an entity of the store have.
    private func columns(of entity: EntityIndex) -> Set<SQLIdentifier> {
        Set(
            (source[entity]?.columns ?? []).flatMap { column in
                column.valueNames + [column.entityColumn, column.orderColumn].compactMap { $0 }
            })
    }

    /// Fills columns whose values come from another column, or from several, or have another type.
    mutating func computeColumns(of layout: TableLayout, _ columns: [TargetColumn]) {
        guard let base = moves.bases[layout.name] else { return }
        let now = current(base)
        for column in columns where !isCarried(column, layout) {
            var entities: [TargetColumn.Source: [EntityIndex]] = [:]
            for (entity, source) in column.sources {
                guard let source, moves.moves[entity]?.copiedWithOffset == nil else { continue }
                entities[source, default: []].append(entity)
            }
            for (source, entities) in entities.sorted(by: { $0.key.column < $1.key.column }) {
                let name = now(source.column)
                plan.run(
                    source.conversion == nil ? "fill columns" : "convert values", .scans(layout.name),
                    SQLFragment(
                        """
                        UPDATE \(layout.name) SET \(column.name) = \(source.value(name))\
                        \(rows(of: entities, and: "\(name) NOT NULL"))
                        """))
            }
        }
    }

    // MARK: Dropping

    mutating func dropLeftovers() {
        for (base, columns) in leftovers.sorted(by: { $0.key < $1.key }) {
            for column in columns {
                for index in details.indexes where index.table == base && index.names(column) {
                    plan.run("drop indexes", .definition, SQLFragment("DROP INDEX IF EXISTS \(index.name)"))
                }
                if isDeferred { putAside(column, of: base) } else { drop(column, of: base) }
            }
        }
        let tables = Set(source.entities.compactMap { $0?.tableName })
            .subtracting(moves.bases.values)
        let joins = Set(source.joinTables.map(\.name)).subtracting(keptJoins)
        for table in tables.sorted() + joins.sorted() {
            if isDeferred {
                putAside(table)
            } else {
                plan.run("drop tables", .definition, SQLFragment("DROP TABLE \(current(table).name)"))
            }
        }
    }

    /// Drops a column.
    ///
    /// Several columns of a table are dropped one by one, each a pass over its rows: a table that is made
    /// anew without them saves some of these passes, but takes twice the log, and all of its indexes have to
    /// be made again.
    private mutating func drop(_ column: SQLIdentifier, of base: SQLIdentifier) {
        let table = current(base)
        let name = table(column)
        if isExternal(column, in: base) {
            plan.release(
                "release the files of columns that are gone",
                SQLFragment("SELECT \(name) FROM \(table.name) WHERE length(\(name)) = 38"))
        }
        plan.run(
            "drop columns", .scans(table.name), SQLFragment("ALTER TABLE \(table.name) DROP COLUMN \(name)"))
    }

    private mutating func putAside(_ column: SQLIdentifier, of base: SQLIdentifier) {
        let table = current(base)
        let name = table(column)
        if name.name.hasPrefix(DeferredPiece.prefix) { return }
        let aside = RenameOrder.temporaryName(for: name, Set(table.columns.values))
        plan.run(
            "put columns aside", .definition,
            SQLFragment("ALTER TABLE \(table.name) RENAME COLUMN \(name) TO \(aside)"))
        tables[base]?.columns[column] = aside
    }

    private mutating func putAside(_ table: SQLIdentifier) {
        let name = current(table).name
        if name.name.hasPrefix(DeferredPiece.prefix) { return }
        let aside = RenameOrder.temporaryName(for: name, Set(tables.values.map(\.name)))
        plan.run(
            "put tables aside", .renames(from: name, to: aside),
            SQLFragment("ALTER TABLE \(name) RENAME TO \(aside)"))
        tables[table]?.name = aside
    }

    private func isExternal(_ column: SQLIdentifier, in table: SQLIdentifier) -> Bool {
        source.entities.compactMap { $0 }.contains { entity in
            entity.tableName == table
                && zip(entity.columns, evolution.source[entity.entity].columns).contains {
                    $0.name == column && $1.attribute?.allowsExternalStorage ?? false
                }
        }
    }
}

extension TargetColumn {
    /// Whether the column comes from one of its own name.
    fileprivate var isNamed: Bool { sources.values.contains { $0?.column == name } }
}

extension MigrationCatalog.Definition {
    /// Returns whether the definition names a column.
    func names(_ column: SQLIdentifier) -> Bool {
        SQLWords(sql).contains(column)
    }
}
