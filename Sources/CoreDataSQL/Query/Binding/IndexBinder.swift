import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of attributes with the fetch index by which their values are to be found:
/// `indexed:by:(latitude, "byPlace")`.
struct IndexBinder {
    let scope: BindingScope

    /// An attribute with the fetch index by which its values are to be found.
    struct IndexedColumn {
        let point: PathPoint
        let column: SQLIdentifier
        /// The table of a spatial index; nil for an index of another kind, which the database chooses by
        /// itself.
        let tree: SQLIdentifier?
    }

    /// Returns the condition for `indexed:by:(…) BETWEEN {a, b}` with a spatial index: the comparison,
    /// limited to the rows that the R-tree finds.
    ///
    /// It is nil for any other comparison.
    func box(_ comparison: ComparisonNode) throws(StoreError) -> BoundCondition? {
        guard comparison.operator == .between, comparison.modifier == .direct,
            case .function(nil, "indexed:by:", let arguments) = comparison.left, arguments.count == 2,
            let indexed = try index(named: arguments[1], of: arguments[0]), let tree = indexed.tree
        else { return nil }
        var plain = comparison
        plain.left = arguments[0]
        let condition = try scope.predicates.bind(.comparison(plain))
        guard scope.schema.spatialTables.contains(tree), case .between(_, let low, let high) = condition,
            low.isConstant, high.isConstant
        else { return condition }
        let bound = BoxBound(column: indexed.column, low: low, high: high)
        return .all([condition, .inBox(indexed.point.key, tree: tree, [bound])])
    }

    /// Returns the indexed attribute; nil for an expression that is no attribute of a single object.
    ///
    /// Throws if the entity has no index of this name.
    func index(
        named name: ExpressionNode, of expression: ExpressionNode
    ) throws(StoreError) -> IndexedColumn? {
        guard let (owner, key) = expression.lastStep else { return nil }
        let schema = scope.schema
        guard let end = try scope.paths.end(of: owner), let point = end.point, end.element == nil,
            end.collection == nil,
            let slot = schema.model[point.entity].slot(named: key), let column = slot.column
        else { return nil }
        guard case .constant(.value(.string(let name))) = name,
            let entity = declarer(of: name, for: point.entity)
        else {
            throw StoreError(
                .unsupported, "entity \(schema.model[point.entity].name) has no fetch index \(name)")
        }
        let tree = SpatialIndex.all(of: entity).first { $0.name == name && $0.components.contains(key) }
        return IndexedColumn(
            point: point, column: try schema.table(of: point.entity).columns[column].name, tree: tree?.table)
    }

    /// Returns the entity or the nearest of its superentities that has an index of this name.
    private func declarer(of name: String, for entity: EntityIndex) -> CompiledEntity? {
        let entity = scope.schema.model[entity]
        let isNamed =
            entity.element.fetchIndexes.contains { $0.name == name }
            || SpatialIndex.all(of: entity).contains { $0.name == name }
        return isNamed ? entity : entity.superentity.flatMap { declarer(of: name, for: $0) }
    }
}
