import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues

/// The decoding of the rows of a dictionary query.
package struct CellPlan: Sendable {
    private enum Cell: Sendable {
        case value(column: Int32, AttributeType)
        /// A reference: the columns of its key and of its entity's number; without the latter it is of the
        /// first entity of the family.
        case reference(key: Int32, entityColumn: Int32?, Range<EntityIndex>)
    }

    private let cells: [Cell]
    private let schema: StoreSchema
    /// The joining of composites from their elements; nil if there are none.
    private let composites: CompositeColumns?

    init(
        _ shape: DictionaryShape, _ expressions: [BoundExpression], _ schema: StoreSchema,
        _ composites: CompositeColumns?
    ) {
        self.schema = schema
        self.composites = composites
        var cells: [Cell] = []
        var column = 0
        for described in shape.columns {
            let expression = expressions[column]
            if case .reference(let entity) = expression.type {
                let next = column + 1
                let isPair = next < expressions.count && expressions[next].type == .entity
                cells.append(
                    .reference(
                        key: Int32(column), entityColumn: isPair ? Int32(next) : nil,
                        schema.model[entity].family))
                column = isPair ? next + 1 : next
            } else {
                cells.append(.value(column: Int32(column), Self.type(described.type, expression.type)))
                column += 1
            }
        }
        self.cells = cells
    }

    /// Returns the type that was asked for, or else the type that SQL yields.
    private static func type(_ described: AttributeType, _ bound: BoundType) -> AttributeType {
        if described != .undefined { return described }
        return switch bound {
        case .attribute(let type): type
        case .externalData: .binary
        case .reference: .objectID
        case .entity: .integer64
        case .unknown: .undefined
        }
    }

    /// Returns the values of the statement's current row.
    package func values(of statement: any SQLStatement) -> [AttributeValue] {
        let values = cells.map { cell in
            switch cell {
            case .value(let column, let type): AttributeValue(statement.value(at: column), as: type)
            case .reference(let key, let entityColumn, let family):
                reference(statement, key, entityColumn, family)
            }
        }
        return composites?.joined(values) ?? values
    }

    private func reference(
        _ statement: any SQLStatement,
        _ key: Int32,
        _ entityColumn: Int32?,
        _ family: Range<EntityIndex>
    ) -> AttributeValue {
        guard case .integer(let key) = statement.value(at: key), key > 0 else { return .null }
        let concrete = entityColumn.flatMap { schema.entity(numbered: statement.integer(at: $0), in: family) }
        return .reference(ObjectReference(entity: concrete ?? family.lowerBound, key: key))
    }
}
