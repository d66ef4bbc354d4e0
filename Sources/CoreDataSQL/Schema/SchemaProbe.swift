package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The mapping of a model to the tables of an existing store.
///
/// Entity tables follow from the model and the store's own entity numbers. Join tables are searched for,
/// because releases of Apple's framework have named them differently (sqlite-store §8).
package struct SchemaProbe {
    private let model: CompiledModel
    private let catalog: StoreCatalog
    private let subset: Set<EntityIndex>?
    private let dialect: any SchemaDialect
    /// The numbers that a new store would have.
    private let counted: EntityNumbers

    /// Makes the probe of a store.
    ///
    /// - Parameter subset: The entities of a configuration; nil for all.
    package init(
        _ model: CompiledModel, catalog: StoreCatalog, subset: Set<EntityIndex>? = nil,
        dialect: any SchemaDialect
    ) {
        self.model = model
        self.catalog = catalog
        self.subset = subset
        self.dialect = dialect
        counted = EntityNumbers(counting: model, subset: subset)
    }

    package func schema() throws(StoreError) -> StoreSchema {
        let numbers = try entityNumbers()
        var names = NameScope(NameMangling.bookkeeping, in: dialect)
        var tables = TableLayoutCompiler(model: model, numbers: numbers, dialect: dialect).layouts(&names)
        for index in tables.indices {
            try check(tables[index])
            if let stored = catalog.orderColumns[tables[index].name] { tables[index].orderColumns = stored }
        }
        var joins: [JoinLayout] = []
        for layout in JoinCompiler(model: model, numbers: numbers, dialect: dialect).layouts(&names) {
            joins.append(try stored(layout, numbers))
        }
        let assembler = SchemaAssembler(model: model, numbers: numbers, tables: tables, joins: joins)
        var schema = try assembler.schema()
        schema.spatialTables = SpatialIndex.tables(in: catalog)
        schema.keepsExternalFiles = dialect.keepsExternalFiles
        return schema
    }

    /// The numbers that entities can have. Those of the history's entities are above them (sqlite-store §12).
    private static let possibleNumbers: Range<Int64> = 1..<HistorySchema.changeNumber

    private func entityNumbers() throws(StoreError) -> EntityNumbers {
        var numbers: [EntityIndex: Int64] = [:]
        var missing: [String] = []
        var taken: Set<Int64> = []
        for entity in model.entities {
            let parent = entity.superentity.map { numbers[$0] ?? -1 } ?? 0
            if let number = catalog.entityNumbers[entity.name] ?? numberUnderOldName(entity, parent) {
                guard Self.possibleNumbers.contains(number), taken.insert(number).inserted else {
                    throw StoreError(.corrupt, "the store gives \(entity.name) the number \(number)")
                }
                numbers[entity.index] = number
            } else if subset?.contains(entity.index) ?? true {
                missing.append(entity.name)
            }
        }
        guard missing.isEmpty else {
            throw StoreError(
                .incompatibleModel(missing), "the store has no \(missing.joined(separator: ", "))")
        }
        return EntityNumbers(numbers)
    }

    /// Returns the number of a renamed entity whose row still has the old name: Apple's migrations leave the
    /// row as it is if its number stays.
    ///
    /// Such a row has the number that the model gives to the entity, and a name that no entity of the model
    /// has.
    private func numberUnderOldName(_ entity: CompiledEntity, _ parent: Int64) -> Int64? {
        guard let number = counted[entity.index], catalog.parentNumbers[number] == parent,
            let oldName = catalog.entityNumbers.first(where: { $0.value == number })?.key,
            model.entity(named: oldName) == nil
        else { return nil }
        return number
    }

    /// The columns of every row, which are required when a store is opened: a fault that is read from a table
    /// without them could not report it.
    private static let rowColumns = [NameMangling.key, NameMangling.entity, NameMangling.version]

    private func check(_ layout: TableLayout) throws(StoreError) {
        try catalog.requireTable(layout.name)
        for name in Self.rowColumns where !catalog.hasColumn(name, in: layout.name) {
            let entity = model[layout.root].name
            throw StoreError(
                .incompatibleModel([entity]), "\(entity) has no column \(name) in \(layout.name)")
        }
        for (property, column) in layout.stored {
            let names = column.valueNames + [column.entityColumn, column.orderColumn].compactMap { $0 }
            for name in names where !catalog.hasColumn(name, in: layout.name) {
                throw missing(name, layout.name, property)
            }
        }
        for (property, column) in layout.own {
            for name in [column.name, column.orderColumn].compactMap({ $0 })
            where !catalog.hasColumn(name, in: layout.name) {
                throw missing(name, layout.name, property)
            }
        }
    }

    private func missing(
        _ column: SQLIdentifier, _ table: SQLIdentifier, _ property: PropertyID
    ) -> StoreError {
        let entity = model[property.entity]
        return StoreError(
            .incompatibleModel([entity.name]),
            "\(entity.name).\(entity.slots[property.slot].name) has no column \(column) in \(table)")
    }

    // MARK: Join tables

    /// Returns a join table as the store has it: named as in a new store, or as another release has named it.
    private func stored(_ layout: JoinLayout, _ numbers: EntityNumbers) throws(StoreError) -> JoinLayout {
        if isStored(layout) { return layout }
        let pair = layout.pair
        let swapped = JoinPair(master: pair.detail, detail: pair.master)
        for candidate in [pair, swapped] {
            if let layout = try self.layout(candidate, numbers) { return layout }
        }
        let entity = model[pair.master.declaringEntity]
        throw StoreError(
            .incompatibleModel([entity.name]), "\(entity.name).\(pair.master.name) has no join table")
    }

    private func isStored(_ layout: JoinLayout) -> Bool {
        let table = layout.table
        return ([table.firstColumn, table.secondColumn] + table.orderColumns)
            .allSatisfy { catalog.hasColumn($0, in: table.name) }
    }

    /// Returns the layout of a pair; nil unless the store has a table under its master's name with the two
    /// columns.
    private func layout(_ pair: JoinPair, _ numbers: EntityNumbers) throws(StoreError) -> JoinLayout? {
        guard let a = numbers[pair.master.declaringEntity], let b = numbers[pair.detail.declaringEntity]
        else { return nil }
        let name = NameMangling.join(a, pair.master.name)
        try catalog.requireTable(name)
        guard let columns = catalog.tables[name],
            let first = column(NameMangling.join(a, pair.detail.name), in: columns)
        else { return nil }
        let target = pair.isReflexive ? NameMangling.reflexive : NameMangling.join(b, pair.master.name)
        guard let second = column(target, in: columns, except: first) else { return nil }
        let masterOrder = order(pair.master, second, columns)
        let detailOrder = pair.isReflexive ? masterOrder : order(pair.detail, first, columns)
        return JoinLayout(
            table: JoinTable(
                name: name, firstColumn: first, secondColumn: second,
                orderColumns: Array(Set([masterOrder, detailOrder].compactMap { $0 })).sorted(),
                master: pair.master.declaringEntity, masterSlot: pair.master.index),
            pair: pair, masterOrder: masterOrder, detailOrder: detailOrder)
    }

    /// Returns the column of this name, with or without digits after it.
    private func column(
        _ name: SQLIdentifier, in columns: [SQLIdentifier: String], except: SQLIdentifier? = nil
    ) -> SQLIdentifier? {
        if columns[name] != nil, name != except { return name }
        return columns.keys.sorted().first { candidate in
            candidate != except && candidate.name.hasPrefix(name.name)
                && candidate.name.dropFirst(name.name.count).allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    private func order(
        _ slot: PropertySlot, _ column: SQLIdentifier, _ columns: [SQLIdentifier: String]
    ) -> SQLIdentifier? {
        guard slot.relationship?.isOrdered ?? false else { return nil }
        let order = NameMangling.joinOrderColumn(column)
        let bare = String(order.name.reversed().drop { $0.isASCII && $0.isNumber }.reversed())
        return columns[order] != nil ? order : self.column(SQLIdentifier(bare), in: columns)
    }
}
