import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The translation of a predicate on transactions or changes to the tables' columns.
///
/// Names are looked up in the table of names, entities become their numbers, and an object ID is an entity
/// and a key.
struct HistoryRewriter {
    private let schema: StoreSchema
    private let hasStrings: Bool

    init(_ schema: StoreSchema, hasStrings: Bool) {
        self.schema = schema
        self.hasStrings = hasStrings
    }

    func rewrite(_ predicate: PredicateNode) -> PredicateNode {
        switch predicate {
        case .compound(let logical, let operands): return .compound(logical, operands.map(rewrite))
        case .comparison(let comparison):
            return identity(comparison)
                ?? NodeRewriter(rewritten).rewrite(.comparison(numbered(comparison)))
        case .constant, .block: return predicate
        }
    }

    func rewrite(_ key: SortKey) -> SortKey {
        var key = key
        key.keys = path(key.keys)
        return key
    }

    // MARK: Expressions

    private func rewritten(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .keyPath(let operand, let keys): .keyPath(operand: operand, keys: path(keys))
        default: node
        }
    }

    private func path(_ keys: [String]) -> [String] {
        guard hasStrings, let name = keys.last, let relationship = HistoryModel.names[name] else {
            return keys
        }
        return keys.dropLast() + [relationship, HistoryModel.nameOfString]
    }

    // MARK: Entities

    /// A number that no entity has.
    private static let nowhere = ExpressionValue.value(.integer(.min))

    /// Returns a comparison of `changedEntity` with the numbers of entities in this store, given one with
    /// entities or their names.
    private func numbered(_ comparison: ComparisonNode) -> ComparisonNode {
        func isEntity(_ node: ExpressionNode) -> Bool {
            if case .keyPath(_, let keys) = node { keys.last == HistoryModel.changedEntity } else { false }
        }
        var result = comparison
        if isEntity(comparison.left) { result.right = NodeRewriter(numbered).rewrite(comparison.right) }
        if isEntity(comparison.right) { result.left = NodeRewriter(numbered).rewrite(comparison.left) }
        return result
    }

    private func numbered(_ node: ExpressionNode) -> ExpressionNode {
        if case .constant(let value) = node { .constant(number(value)) } else { node }
    }

    private func number(_ value: ExpressionValue) -> ExpressionValue {
        if case .collection(let elements, let isOrdered) = value {
            return .collection(elements.map(number), isOrdered: isOrdered)
        }
        guard let name = (value.unboxed as? any KeyedValues)?.entityName ?? value.unboxed as? String else {
            return value
        }
        let index = schema.model.entity(named: name)?.index
        guard let number = index.flatMap({ schema[$0]?.number }) else { return Self.nowhere }
        return .value(.integer(number))
    }

    // MARK: Object IDs

    /// Returns the condition for a comparison of `changedObjectID` with objects; nil for every other
    /// comparison.
    private func identity(_ comparison: ComparisonNode) -> PredicateNode? {
        // With ANY or ALL, entity and key would have to be those of one change, which two conditions cannot
        // say.
        guard comparison.modifier == .direct else { return nil }
        for (side, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            guard case .keyPath(let operand, let keys) = side, keys.last == HistoryModel.changedObjectID,
                case .constant(let value) = other
            else { continue }
            let rows = rows(in: value)
            switch comparison.operator {
            case .equalTo, .in: return condition(rows, operand, keys.dropLast())
            case .notEqualTo: return .compound(.not, [condition(rows, operand, keys.dropLast())])
            default: return nil
            }
        }
        return nil
    }

    private func rows(in value: ExpressionValue) -> [ObjectReference] {
        switch value {
        case .value(.reference(let reference)): [reference]
        case .object(let object): object.rowReference.map { [$0] } ?? []
        case .collection(let elements, _): elements.flatMap(rows)
        case .value, .opaque: []
        }
    }

    private func condition(
        _ rows: [ObjectReference],
        _ operand: ExpressionNode,
        _ prefix: ArraySlice<String>
    ) -> PredicateNode {
        func key(_ name: String) -> ExpressionNode { .keyPath(operand: operand, keys: prefix + [name]) }
        let byEntity = Dictionary(grouping: rows, by: \.entity).sorted(by: \.key)
        return .compound(
            .or,
            byEntity.compactMap { entity, rows in
                guard let number = schema[entity]?.number else { return nil }
                let keys = rows.map { ExpressionValue.value(.integer($0.key)) }
                return .compound(
                    .and,
                    [
                        .comparison(
                            ComparisonNode(
                                key(HistoryModel.changedEntity), .equalTo,
                                .constant(.value(.integer(number))))),
                        .comparison(
                            ComparisonNode(
                                key(HistoryModel.changedKey), .in,
                                .constant(.collection(keys, isOrdered: false)))),
                    ])
            })
    }
}
