import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The execution of a save plan on a connection, inside the transaction that its caller began.
struct SaveRunner {
    private let schema: StoreSchema
    private let compiler: SaveCompiler
    private let triggered: TriggeredTables
    private let connection: any SQLConnection

    init(_ compiler: SaveCompiler, _ triggered: TriggeredTables, on connection: any SQLConnection) {
        self.compiler = compiler
        self.triggered = triggered
        self.connection = connection
        schema = compiler.schema
    }

    /// Runs the plan. Returns false as soon as a row does not have the version that the plan expects, and the
    /// caller must then roll back.
    func run(_ plan: SavePlan) throws(SQLError) -> Bool {
        guard try requireExpectedVersions(plan.expected) else { return false }
        try run(plan.linkRemovals)
        guard try delete(plan.deletes) else { return false }
        guard try update(plan) else { return false }
        try insert(plan)
        try run(plan.linkInsertions)
        return true
    }

    // MARK: Steps

    private func requireExpectedVersions(_ rows: [RowExpectation]) throws(SQLError) -> Bool {
        var prepared: (entity: EntityIndex, statement: any SQLStatement)?
        for row in rows {
            guard let table = schema[row.reference.entity] else { continue }
            if prepared?.entity != table.entity {
                prepared = (table.entity, try connection.prepare(compiler.version(in: table)))
            }
            guard let statement = prepared?.statement else { continue }
            try statement.bind(row.reference.key, at: 1)
            try statement.bind(row.version, at: 2)
            let isThere = try statement.step()
            statement.reset()
            if !isThere { return false }
        }
        return true
    }

    private func run(_ steps: [LinkStep]) throws(SQLError) {
        var rest = steps[...]
        while let first = rest.first {
            let alike = rest.prefix { $0.isSpelled(as: first) }
            rest = rest.dropFirst(max(1, alike.count))
            if case .link = first {
                try link(alike)
            } else {
                let statement = try connection.prepare(compiler.text(of: first))
                for step in alike.isEmpty ? [first] : alike {
                    try statement.bind(step.values)
                    _ = try statement.step()
                }
            }
        }
    }

    /// Inserts pairs: full groups through the statement of many pairs, the rest one by one.
    private func link(_ steps: ArraySlice<LinkStep>) throws(SQLError) {
        var rest = steps
        guard case .link(let table, let owner, let member) = rest.first else { return }
        for count in [SaveCompiler.rowsPerInsert, 1] where rest.count >= count {
            let statement = try connection.prepare(
                compiler.link(table, owner.name, member.name, isGroup: count > 1))
            while rest.count >= count {
                var position = 1
                for case .link(_, let owner, let member) in rest.prefix(count) {
                    try statement.bind(owner.key, at: position)
                    try statement.bind(member.key, at: position + 1)
                    position += 2
                }
                _ = try statement.step()
                rest = rest.dropFirst(count)
            }
        }
    }

    private func delete(_ rows: [RowDeletion]) throws(SQLError) -> Bool {
        struct Shape: Hashable {
            let entity: EntityIndex
            let isRun: Bool
            let checksVersion: Bool
        }
        var prepared: [Shape: any SQLStatement] = [:]
        for indices in rows.neighbours {
            let (run, first) = (rows[indices], rows[indices.lowerBound])
            guard let table = schema[first.reference.entity] else { continue }
            if !schema.externalColumns(of: first.reference.entity).isEmpty {
                for row in run { try releaseExternal(row.reference, table.columns.indices, of: table) }
            }
            let shape = Shape(
                entity: first.reference.entity, isRun: run.count > 1, checksVersion: first.version != nil)
            if prepared[shape] == nil {
                let text = compiler.delete(
                    from: table, isRun: shape.isRun, checksVersion: shape.checksVersion)
                prepared[shape] = try connection.prepare(text)
            }
            guard let statement = prepared[shape] else { continue }
            try statement.bind(first.reference.key, at: 1)
            if shape.isRun { try statement.bind(first.reference.key + Int64(run.count - 1), at: 2) }
            if let version = first.version { try statement.bind(version, at: shape.isRun ? 3 : 2) }
            _ = try statement.step()
            if shape.checksVersion, statement.changedRowCount < run.count { return false }
        }
        return true
    }

    /// Releases the external files that columns of a row name, before the columns are overwritten or the row
    /// is deleted.
    private func releaseExternal(
        _ reference: ObjectReference,
        _ columns: some Sequence<Int>,
        of table: EntityTable
    ) throws(SQLError) {
        let attributes = schema.externalColumns(of: reference.entity)
        guard !attributes.isEmpty else { return }
        for column in columns where attributes.contains(column) {
            let name = table.columns[column].name
            try connection.releaseExternals([
                """
                SELECT \(name) FROM \(table.tableName) \
                WHERE Z_PK = \(bind: .integer(reference.key)) AND length(\(name)) = 38
                """
            ])
        }
    }

    private struct UpdateStatement {
        let table: EntityTable
        let text: RowStatement
        let statement: any SQLStatement
        let hasExternals: Bool
    }

    private func update(_ plan: SavePlan) throws(SQLError) -> Bool {
        struct Shape: Equatable {
            let entity: EntityIndex
            let changed: ColumnMask
        }
        let updates = plan.updates
        // The rows of one save mostly have the same changed columns.
        let runs = updates.indices.runs {
            Shape(entity: updates[$0].reference.entity, changed: updates[$0].changed)
        }
        for (shape, indices) in runs {
            guard let table = schema[shape.entity] else { continue }
            let update = try prepareUpdate(of: table, shape.changed)
            guard try self.update(updates[indices], by: update, plan.permanent) else { return false }
        }
        return true
    }

    private func update(
        _ rows: ArraySlice<RowUpdate>, by update: UpdateStatement, _ permanent: ReferenceMap
    ) throws(SQLError) -> Bool {
        let (text, statement) = (update.text, update.statement)
        for index in rows.indices {
            let (reference, version) = (rows[index].reference, rows[index].version)
            if update.hasExternals { try releaseExternal(reference, text.columns, of: update.table) }
            let next = try rows[index].borrowed.withBorrowed { row throws(SQLError) in
                try bind(row, text, from: 1, statement, permanent)
            }
            try statement.bind(version &+ 1, at: next)
            try statement.bind(reference.key, at: next + 1)
            try statement.bind(version, at: next + 2)
            _ = try statement.step()
            if statement.changedRowCount == 0 { return false }
        }
        return true
    }

    private func prepareUpdate(
        of table: EntityTable, _ changed: ColumnMask
    ) throws(SQLError) -> UpdateStatement {
        let text = compiler.update(table, changed)
        return UpdateStatement(
            table: table, text: text, statement: try connection.prepare(text.sql),
            hasExternals: !schema.externalColumns(of: table.entity).isEmpty)
    }

    private func insert(_ plan: SavePlan) throws(SQLError) {
        for (entity, indices) in plan.inserts.runs {
            guard let table = schema[entity] else { continue }
            try insert(plan.inserts, indices, into: table, plan.permanent)
        }
    }

    /// Inserts rows: full groups through the statement of many rows, the rest one by one.
    func insert(
        _ rows: InsertedRows,
        _ indices: Range<Int>,
        into table: EntityTable,
        _ permanent: ReferenceMap
    ) throws(SQLError) {
        var rest = indices
        func insert(by text: RowStatement) throws(SQLError) {
            guard rest.count >= text.rowCount else { return }
            let statement = try connection.prepare(text.sql)
            while rest.count >= text.rowCount {
                var position = 1
                try rows.forEach(rest.prefix(text.rowCount)) { row, reference throws(SQLError) in
                    let key = permanent.current(reference).key
                    position = try bindInsert(row, key, text, table, from: position, statement, permanent)
                }
                _ = try statement.step()
                rest = rest.dropFirst(text.rowCount)
            }
        }
        if rest.count > 1 {
            try insert(by: compiler.insert(table, .group(firesTriggers: triggered.contains(table))))
        }
        try insert(by: compiler.insert(table, .single))
    }

    /// Binds one row of an insert under a key, with the version after the row's own. Returns the next free
    /// position.
    @discardableResult
    func bindInsert(
        _ row: Snapshot,
        _ key: Int64,
        _ text: RowStatement,
        _ table: EntityTable,
        from first: Int = 1,
        _ statement: any SQLStatement,
        _ permanent: ReferenceMap = [:]
    ) throws(SQLError) -> Int {
        try statement.bind(key, at: first)
        try statement.bind(table.number, at: first + 1)
        try statement.bind(row.version &+ 1, at: first + 2)
        return try bind(row, text, from: first + RowStatement.insertPrefix, statement, permanent)
    }

    /// Binds the row's columns with permanent keys in place of temporary ones, the entity numbers of its
    /// to-ones, and the elements of its composites. Returns the next free position.
    private func bind(
        _ row: Snapshot,
        _ text: RowStatement,
        from first: Int,
        _ statement: any SQLStatement,
        _ permanent: ReferenceMap
    ) throws(SQLError) -> Int {
        try statement.bind(row, columns: text.columns, from: first)
        if row.hasReferences, !permanent.isEmpty {
            for (offset, column) in text.columns.enumerated()
            where row.columnLayouts[column].storage == .reference {
                guard let reference = row.toOne(column), reference.isTemporary else { continue }
                let key = permanent[reference].map { SQLValue.integer($0.key) } ?? .null
                try statement.bind(key, at: first + offset)
            }
        }
        var position = first + text.columns.count
        for column in text.entityColumns {
            let reference = row.toOne(column).map { permanent[$0] ?? $0 }
            let number = reference.flatMap { schema[$0.entity]?.number }
            try statement.bind(number.map(SQLValue.integer) ?? .null, at: position)
            position += 1
        }
        var composite: (column: Int, value: AttributeValue)?
        for element in text.elements {
            let known = composite.flatMap { $0.column == element.column ? $0.value : nil }
            let value = known ?? row.value(element.column)
            composite = (element.column, value)
            try statement.bind(SQLValue(value.element(at: element.stored.path)) ?? .null, at: position)
            position += 1
        }
        return position
    }
}
