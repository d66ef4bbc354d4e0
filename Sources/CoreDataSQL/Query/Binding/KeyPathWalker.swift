import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The walk along a key path, from an object to its values and to the objects it leads to.
struct KeyPathWalker {
    let scope: BindingScope
    /// The whole key path, for errors.
    let path: [String]

    var schema: StoreSchema { scope.schema }

    /// Returns the end of the path that the keys make.
    ///
    /// - Parameters:
    ///   - keys: The part of the path to walk.
    ///   - start: The object to start from.
    ///   - isOnce: Whether rows will be counted or added up, so that each object must occur once.
    func walk(
        _ keys: ArraySlice<String>,
        from start: PathPoint,
        isOnce: Bool = false
    ) throws(StoreError) -> PathEnd {
        var point = start
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") { return try apply(key, to: rest, from: point) }
            let entity = schema.model[point.entity]
            guard let slot = entity.slot(named: key) else {
                if key == "self" || key == "SELF" { continue }
                if let end = try identity(key, rest, of: point) { return end }
                throw unknownKey(from: start)
            }
            if slot.isTransient, slot.relationship != nil || slot.attribute != nil {
                throw StoreError(
                    .unsupported,
                    "keypath \(path.joined(separator: ".")) leads to the transient property "
                        + "\(entity.name).\(slot.name): the store has no values for it")
            }
            switch slot.kind {
            case .attribute(let attribute) where rest == ["@count"] && point.isMember:
                // Only objects that have a value are counted.
                let value = try value(of: slot, attribute, at: point)
                let values = PathEnd(value: value, collection: point.collection)
                return PathEnd(value: try values.folded(by: .count, describing: path))
            case .attribute(let attribute):
                guard let leaf = attribute.element(at: rest) else { throw unknownKey(from: start) }
                if isOnce { point = try distinct(point) }
                let value =
                    attribute.type == .composite
                    ? try element(Array(rest), leaf, of: slot, at: point)
                    : try value(of: slot, attribute, at: point)
                return PathEnd(value: value, collection: point.collection)
            case .relationship(let relationship) where relationship.isToMany:
                point = try members(of: slot, relationship, from: point)
            case .relationship(let relationship):
                point = try destination(of: slot, relationship, from: point)
            case .fetchedProperty:
                throw StoreError(
                    .unsupported,
                    "keypath \(path.joined(separator: ".")) goes through the fetched property \(slot.name)")
            }
        }
        if isOnce { point = try distinct(point) }
        return PathEnd(at: point)
    }

    /// Binds `objectID` and `entity`; returns nil for another key.
    private func identity(
        _ key: String,
        _ rest: ArraySlice<String>,
        of point: PathPoint
    ) throws(StoreError) -> PathEnd? {
        switch key {
        case "objectID" where rest.isEmpty: return PathEnd(at: point)
        case "entity" where rest.isEmpty || rest == ["name"]:
            let column: BoundColumn
            if point.row == nil, let name = point.entityColumn {
                column = BoundColumn(alias: point.key.alias, name: name)
            } else {
                column = BoundColumn(alias: try point.row(in: schema), name: NameMangling.entity)
            }
            let value = BoundExpression.column(column, .entity, isNullable: point.isNullable)
            return PathEnd(value: value, collection: point.collection)
        default: return nil
        }
    }

    private func unknownKey(from start: PathPoint) -> StoreError {
        let name = schema.model[start.entity].name
        return StoreError(
            .unsupported, "keypath \(path.joined(separator: ".")) not found in entity \(name)")
    }
}
