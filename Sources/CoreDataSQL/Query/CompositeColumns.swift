import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The columns of a dictionary query with each composite replaced by its elements, since only these have
/// columns.
struct CompositeColumns: Sendable {
    /// The shape that SQL is asked for.
    private(set) var shape: DictionaryShape
    /// By requested column, the key paths of the elements that its composite is joined from; nil for any
    /// other column.
    private var elements: [[[String]]?] = []

    /// Replaces composites; nil if no column and no group is a composite.
    init?(_ shape: DictionaryShape, of entity: EntityIndex, in model: CompiledModel) {
        self.shape = shape
        self.shape.columns = []
        for column in shape.columns {
            let leaves = Self.leaves(of: column.expression, entity, model)
            elements.append(leaves?.map(\.path))
            self.shape.columns +=
                leaves?.map { leaf in
                    DictionaryShape.Column(
                        name: "\(column.name).\(leaf.path.joined(separator: "."))",
                        expression: leaf.expression,
                        type: leaf.type)
                } ?? [column]
        }
        self.shape.groupBy = shape.groupBy.flatMap { expression in
            Self.leaves(of: expression, entity, model)?.map(\.expression) ?? [expression]
        }
        if self.shape == shape { return nil }
    }

    /// Returns the elements of a key path that leads to a composite; nil for any other expression.
    private static func leaves(
        of expression: ExpressionNode, _ entity: EntityIndex, _ model: CompiledModel
    ) -> [(path: [String], expression: ExpressionNode, type: AttributeType)]? {
        guard case .keyPath(let operand, let keys) = expression, operand == .evaluatedObject,
            let composite = attribute(at: keys[...], of: entity, model), composite.type == .composite
        else { return nil }
        return composite.leaves.map { leaf in
            (leaf.path, .keyPath(operand: operand, keys: keys + leaf.path), leaf.attribute.type)
        }
    }

    private static func attribute(
        at keys: ArraySlice<String>, of entity: EntityIndex, _ model: CompiledModel
    ) -> AttributeSlot? {
        guard let key = keys.first, let slot = model[entity].slot(named: key) else { return nil }
        let rest = keys.dropFirst()
        if let relationship = slot.relationship {
            return attribute(at: rest, of: relationship.destination, model)
        }
        return slot.attribute?.element(at: rest)
    }

    /// Returns a row in the requested form, with composites joined.
    func joined(_ cells: [AttributeValue]) -> [AttributeValue] {
        var rest = cells[...]
        return elements.map { paths in
            guard let paths else { return rest.removeFirst() }
            defer { rest.removeFirst(paths.count) }
            return .composite(of: zip(paths, rest).map { ($0[...], $1) })
        }
    }
}
