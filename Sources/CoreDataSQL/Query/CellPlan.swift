import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues
import Foundation

/// How the rows of a dictionary query become values.
package struct CellPlan: Sendable {
    private enum Cell: Sendable {
        case value(column: Int32, AttributeType)
        /// The key, and where its entity's number stands; without one it is the entity given.
        case reference(key: Int32, entityColumn: Int32?, EntityIndex)
    }

    private let cells: [Cell]
    private let entityByNumber: [Int64: EntityIndex]

    init(_ shape: DictionaryShape, _ expressions: [BoundExpression], _ schema: StoreSchema) {
        entityByNumber = schema.entityByNumber
        var cells: [Cell] = []
        var column = 0
        for described in shape.columns {
            let expression = expressions[column]
            if case .reference(let entity) = expression.type {
                let next = column + 1
                let isPair = next < expressions.count && expressions[next].type == .entity
                cells.append(
                    .reference(key: Int32(column), entityColumn: isPair ? Int32(next) : nil, entity))
                column = isPair ? next + 1 : next
            } else {
                cells.append(.value(column: Int32(column), Self.type(described.type, expression.type)))
                column += 1
            }
        }
        self.cells = cells
    }

    /// The type that was asked for, else the one SQL yields.
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

    /// The current row of the statement.
    package func values(of statement: any SQLStatement) -> [AttributeValue] {
        cells.map { cell in
            switch cell {
            case .value(let column, let type): AttributeValue(statement.value(at: column), as: type)
            case .reference(let key, let entityColumn, let entity):
                reference(statement, key, entityColumn, entity)
            }
        }
    }

    private func reference(
        _ statement: any SQLStatement,
        _ key: Int32,
        _ entityColumn: Int32?,
        _ entity: EntityIndex
    ) -> AttributeValue {
        guard case .integer(let key) = statement.value(at: key) else { return .null }
        let concrete = entityColumn.flatMap { entityByNumber[statement.integer(at: $0)] }
        return .reference(ObjectReference(entity: concrete ?? entity, key: key))
    }
}

extension AttributeValue {
    /// A stored value read as a type (sqlite-store §6); what does not fit stays what it is.
    package init(_ stored: SQLValue, as type: AttributeType) {
        switch (type, stored) {
        case (_, .null): self = .null
        case (.boolean, .integer(let number)): self = .boolean(number != 0)
        case (.double, .integer(let number)), (.float, .integer(let number)): self = .double(Double(number))
        case (.decimal, .integer(let number)): self = .decimal(Decimal(number))
        case (.decimal, .double(let number)):
            self = .decimal(Decimal(string: number.description) ?? Decimal(number))
        case (.decimal, .text(let text)): self = Decimal(string: text).map(Self.decimal) ?? .string(text)
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            self = Int64(exactly: number.rounded(.towardZero)).map(Self.integer) ?? .double(number)
        case (.date, .integer(let seconds)):
            self = .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.uri, .text(let text)): self = URL(string: text).map(Self.uri) ?? .string(text)
        case (.uuid, .blob(let data)) where data.count == 16:
            self = .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (_, .integer(let number)): self = .integer(number)
        case (_, .double(let number)): self = .double(number)
        case (_, .text(let text)): self = .string(text)
        case (_, .blob(let data)): self = .data(data)
        }
    }
}
