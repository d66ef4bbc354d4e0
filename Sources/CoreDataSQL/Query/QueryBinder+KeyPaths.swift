import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    /// Where an expression leads, if it is a path from an object; nil for any other expression.
    mutating func path(_ expression: ExpressionNode) throws(StoreError) -> PathEnd? {
        switch expression {
        case .evaluatedObject:
            return end(at: root, collection: nil)
        case .variable(let name):
            if let place = variables[name] { return end(at: place, collection: nil) }
            if let cell = cells[name] { return PathEnd(value: cell) }
            throw StoreError(.unsupported, "no value for the variable $\(name)")
        case .keyPath(let operand, let keys):
            if operand == .evaluatedObject, keys.count == 1, let cell = cells[keys[0]],
                entity.slot(named: keys[0]) == nil
            {
                return PathEnd(value: cell)
            }
            guard let start = try path(operand) else { return nil }
            guard let place = start.place else { throw inexpressible(expression) }
            let end = try walk(keys[...], from: place, collection: start.collection, of: keys)
            guard let element = start.element else { return end }
            guard end.collection == nil else { throw inexpressible(expression) }
            return PathEnd(value: element.value(end.value), place: end.place, element: element)
        case .function(nil, "objectFrom:withIndex:", let arguments) where arguments.count == 2:
            return try element(of: arguments[0], at: arguments[1], expression)
        case .subquery(let collection, let variable, let predicate):
            guard let end = try path(collection), let place = end.place, let scope = end.collection else {
                throw inexpressible(expression)
            }
            let outer = variables
            variables[variable] = place
            scope.add(try bind(predicate))
            variables = outer
            return end
        case .function(nil, "castObject:toType:", let arguments):
            return try cast(arguments)
        default:
            return nil
        }
    }

    /// `tasks[SIZE]` of any to-many; `[FIRST]`, `[LAST]` and `[n]` of an ordered one.
    private mutating func element(
        of collection: ExpressionNode,
        at index: ExpressionNode,
        _ expression: ExpressionNode
    ) throws(StoreError) -> PathEnd? {
        guard let end = try path(collection) else { return nil }
        guard let scope = end.collection, let place = end.place else { throw inexpressible(expression) }
        let symbol = FunctionName.symbolicIndex(index)
        if symbol == "SIZE" { return PathEnd(value: try fold(.count, end, describing: ["\(expression)"])) }
        guard let order = place.order, order.alias == scope.source.alias else {
            throw inexpressible(expression)
        }
        let offset: Int
        switch (symbol, index) {
        case (nil, .constant(.value(.integer(let number)))) where number >= 0: offset = Int(number)
        case (nil, _): throw inexpressible(expression)
        default: offset = 0
        }
        let element = PathElement(
            scope: scope,
            choice: ElementChoice(order: order, isFromEnd: symbol == "LAST", offset: offset))
        let key = BoundExpression.column(place.key, .reference(place.entity))
        return PathEnd(value: element.value(key), place: place, element: element)
    }

    /// `CAST(SELF, "Manager")`: the same row, with the properties of an entity below. Nil for casts of values.
    private mutating func cast(_ arguments: [ExpressionNode]) throws(StoreError) -> PathEnd? {
        guard arguments.count == 2, case .constant(.value(.string(let name))) = arguments[1],
            let entity = schema.model.entity(named: name), let end = try path(arguments[0]),
            var place = end.place
        else { return nil }
        place.entity = entity.index
        return self.end(at: place, collection: end.collection)
    }

    private func end(at place: QueryPlace, collection: QueryScope?) -> PathEnd {
        let key = BoundExpression.column(place.key, .reference(place.entity), isNullable: !place.isRow)
        return PathEnd(value: key, place: place, collection: collection)
    }

    private mutating func walk(
        _ keys: ArraySlice<String>,
        from start: QueryPlace,
        collection: QueryScope?,
        of path: [String]
    ) throws(StoreError) -> PathEnd {
        var place = start
        var collection = collection
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") {
                return try apply(key, to: rest, from: place, collection: collection, of: path)
            }
            let entity = schema.model[place.entity]
            guard let slot = entity.slot(named: key) else {
                if let end = try special(key, rest, at: place, collection: collection) {
                    guard let end = end else { continue }
                    return end
                }
                throw unknownKey(path, from: start)
            }
            if slot.isTransient, slot.relationship != nil || slot.attribute != nil {
                throw StoreError(
                    schema.leavesTransientsToMemory ? .inexpressible : .unsupported,
                    "keypath \(path.joined(separator: ".")) leads to the transient property "
                        + "\(entity.name).\(slot.name): the store has no values for it")
            }
            switch slot.kind {
            case .attribute(let attribute):
                if attribute.type == .composite {
                    throw StoreError(
                        .unsupported,
                        "SQL cannot look into the composite attribute \(entity.name).\(slot.name) "
                            + "(keypath \(path.joined(separator: ".")))")
                }
                guard rest.isEmpty else { throw unknownKey(path, from: start) }
                return PathEnd(value: try value(of: slot, attribute, at: place), collection: collection)
            case .relationship(let relationship) where relationship.isToMany:
                place = try enter(slot, relationship, from: place, collection: &collection)
            case .relationship(let relationship):
                place = try follow(slot, relationship, from: place)
            case .fetchedProperty:
                throw StoreError(
                    .unsupported,
                    "keypath \(path.joined(separator: ".")) goes through the fetched property \(slot.name)")
            }
        }
        return end(at: place, collection: collection)
    }

    /// `self`, `objectID` and `entity`: nil for another key, `.some(nil)` where the path just goes on.
    private mutating func special(
        _ key: String,
        _ rest: ArraySlice<String>,
        at place: QueryPlace,
        collection: QueryScope?
    ) throws(StoreError) -> PathEnd?? {
        switch key {
        case "self", "SELF": return .some(nil)
        case "objectID" where rest.isEmpty: return end(at: place, collection: collection)
        case "entity" where rest.isEmpty || rest == ["name"]:
            let column: BoundColumn
            if place.row == nil, let name = place.entityColumn {
                column = BoundColumn(alias: place.key.alias, name: name)
            } else {
                column = BoundColumn(alias: try row(of: place), name: "Z_ENT")
            }
            let value = BoundExpression.column(column, .entity, isNullable: !place.isRow)
            return PathEnd(value: value, collection: collection)
        default: return nil
        }
    }

    private func unknownKey(_ path: [String], from start: QueryPlace) -> StoreError {
        let name = schema.model[start.entity].name
        return StoreError(
            .unsupported, "keypath \(path.joined(separator: ".")) not found in entity \(name)")
    }

    // MARK: Steps

    /// The alias of a place's row, joined at its first use.
    func row(of place: QueryPlace) throws(StoreError) -> Int {
        if let row = place.row { return row }
        let table = try storedTable(of: place.entity)
        return place.scope.row(of: table.tableName, keyedBy: place.key, newAlias: newAlias)
    }

    private func storedTable(of entity: EntityIndex) throws(StoreError) -> EntityTable {
        if let table = schema[entity] { return table }
        throw StoreError(.unsupported, "entity \(schema.model[entity].name) is not in this store")
    }

    private func storedColumn(of slot: PropertySlot, in entity: EntityIndex) throws(StoreError)
        -> StoredColumn
    {
        let table = try storedTable(of: entity)
        if let column = slot.column, table.columns.indices.contains(column) { return table.columns[column] }
        throw StoreError(
            .unsupported, "\(schema.model[entity].name).\(slot.name) has no column in \(table.tableName)")
    }

    private func value(
        of slot: PropertySlot,
        _ attribute: AttributeSlot,
        at place: QueryPlace
    ) throws(StoreError) -> BoundExpression {
        let stored = try storedColumn(of: slot, in: place.entity)
        let column = BoundColumn(alias: try row(of: place), name: stored.name)
        let isExternal = attribute.allowsExternalStorage && attribute.type == .binary
        return .column(column, isExternal ? .externalData : .attribute(attribute.type))
    }

    private func follow(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from place: QueryPlace
    ) throws(StoreError) -> QueryPlace {
        let stored = try storedColumn(of: slot, in: place.entity)
        return QueryPlace(
            scope: place.scope,
            entity: relationship.destination,
            key: BoundColumn(alias: try row(of: place), name: stored.name),
            entityColumn: stored.entityColumn)
    }

    /// Opens the sub-select of a to-many, or joins it to the one that is open.
    private func enter(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from place: QueryPlace,
        collection: inout QueryScope?
    ) throws(StoreError) -> QueryPlace {
        guard let storage = try storedTable(of: place.entity).toMany[slot.index] else {
            throw StoreError(
                .unsupported, "\(schema.model[place.entity].name).\(slot.name) is not stored in this store")
        }
        let alias = newAlias()
        let table: BoundTable
        let ownerColumn: String
        let key: BoundColumn
        let orderColumn: String?
        var row: Int?
        switch storage {
        case .foreignKey(let name, let column, let order, _):
            orderColumn = order
            table = .named(name)
            ownerColumn = column
            key = BoundColumn(alias: alias, name: "Z_PK")
            row = alias
        case .join(let name, let owner, let member, let order, let isReflexive):
            orderColumn = order
            table = isReflexive ? .bothDirections(table: name, owner: owner, member: member) : .named(name)
            ownerColumn = owner
            key = BoundColumn(alias: alias, name: member)
        }
        let scope: QueryScope
        if let open = collection {
            scope = open
            scope.add(
                BoundJoin(kind: .inner, table: table, alias: alias, column: ownerColumn, left: place.key))
        } else {
            scope = QueryScope(table, alias: alias)
            let owner = BoundExpression.column(
                BoundColumn(alias: alias, name: ownerColumn), .reference(place.entity))
            scope.add(.compare(owner, .equal, .column(place.key, .reference(place.entity))))
            collection = scope
        }
        return QueryPlace(
            scope: scope, entity: relationship.destination, key: key, row: row,
            order: orderColumn.map { BoundColumn(alias: alias, name: $0) })
    }

    // MARK: Collection operators

    private mutating func apply(
        _ name: String,
        to rest: ArraySlice<String>,
        from place: QueryPlace,
        collection: QueryScope?,
        of path: [String]
    ) throws(StoreError) -> PathEnd {
        if name == "@distinctUnionOfObjects" || name == "@unionOfObjects" {
            guard collection != nil else { throw operatorNeedsToMany(name, path) }
            let names = rest.prefix { !$0.hasPrefix("@") }
            var end = try walk(names, from: place, collection: collection, of: path)
            end.isDistinct = name == "@distinctUnionOfObjects"
            let last = rest.dropFirst(names.count)
            guard let next = last.first else { return end }
            guard let function = Self.collectionOperators[next], last.count == 1 else {
                throw StoreError(
                    .inexpressible, "keypath \(path.joined(separator: ".")): SQL has no \(next)")
            }
            return PathEnd(value: try fold(function, end, describing: path))
        }
        guard let function = Self.collectionOperators[name] else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): unknown collection operator \(name)")
        }
        guard collection != nil || allowsAggregates else { throw operatorNeedsToMany(name, path) }
        let end = try walk(rest, from: place, collection: collection, of: path)
        return PathEnd(value: try fold(function, end, describing: path))
    }

    private static let collectionOperators: [String: AggregateFunction] = [
        "@count": .count, "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
    ]

    private func operatorNeedsToMany(_ name: String, _ path: [String]) -> StoreError {
        StoreError(
            .unsupported,
            "keypath \(path.joined(separator: ".")): \(name) needs a to-many relationship before it")
    }

    /// One value out of the values of a path: of a sub-select, or of the statement's own rows.
    func fold(
        _ function: AggregateFunction,
        _ end: PathEnd,
        describing path: [String]
    ) throws(StoreError) -> BoundExpression {
        if end.place != nil, function != .count {
            throw StoreError(
                .unsupported, "keypath \(path.joined(separator: ".")): objects have no \(function.rawValue)")
        }
        // Rows are counted, not values: a row is there even if the value is null.
        let countsRows = function == .count && end.collection != nil && !end.isDistinct
        let operand = countsRows ? nil : end.value
        let type: BoundType =
            switch function {
            case .count: .attribute(.integer64)
            case .average, .median, .deviation: .attribute(.double)
            case .sum, .minimum, .maximum, .mode: end.value.type
            }
        let form: BoundExpression.Form
        if let scope = end.collection {
            form = .subselect(function, operand, isDistinct: end.isDistinct, scope.source)
        } else {
            form = .aggregate(function, operand, isDistinct: end.isDistinct)
        }
        return BoundExpression(form: form, type: type, isNullable: function != .count && function != .sum)
    }
}
