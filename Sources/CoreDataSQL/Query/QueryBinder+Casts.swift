import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    /// Binds `CAST(SELF, "Manager")`: the same object with the properties of an entity below its own, or
    /// nothing if it is of another entity.
    ///
    /// Returns nil for casts of values.
    mutating func castObject(_ arguments: [ExpressionNode]) throws(StoreError) -> PathEnd? {
        guard arguments.count == 2, case .constant(.value(.string(let name))) = arguments[1],
            let entity = schema.model.entity(named: name), let end = try path(arguments[0]),
            let point = end.point
        else { return nil }
        let seen = try self.point(point, as: entity, isMember: end.collection != nil)
        var result = self.end(at: seen, collection: end.collection)
        if let element = end.element {
            result.value = element.value(result.value)
            result.element = element
        }
        return result
    }

    private mutating func point(
        _ point: PathPoint,
        as entity: CompiledEntity,
        isMember: Bool
    ) throws(StoreError) -> PathPoint {
        var result = point
        result.entity = entity.index
        // A cast to a superentity changes nothing.
        if entity.includes(point.entity) { return result }
        guard entity.root == schema.model[point.entity].root else {
            throw StoreError(
                .unsupported, "CAST: no \(schema.model[point.entity].name) is ever of entity \(entity.name)")
        }
        let alias = newAlias()
        point.scope.add(
            BoundJoin(
                kind: isMember ? .inner : .leftOuter,
                table: .named(try storedTable(of: entity.index).tableName), alias: alias,
                column: NameMangling.key,
                left: point.key, entities: entity.family.compactMap { schema[$0]?.number }))
        result.key = BoundColumn(alias: alias, name: NameMangling.key)
        (result.row, result.entityColumn, result.isPartial) = (alias, nil, !isMember)
        return result
    }
}
