import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The columns of a statement that reads previews: of long texts and data their beginnings and lengths, so that
/// no long value leaves the database.
struct PreviewSelection {
    private enum Cell {
        case value(AttributeType)
        case text
        case bytes
        /// Data that may lie in a file, which the column names.
        case external
        case composite([StoredElement])
        case reference(hasEntity: Bool, family: Range<EntityIndex>)
        /// A property without a column.
        case none
    }

    private let cells: [Cell]
    private let schema: StoreSchema
    /// The selected columns, after the key of the row.
    let columns: [SQLFragment]

    init(_ slots: [PropertySlot], of table: EntityTable, in schema: StoreSchema) {
        self.schema = schema
        var columns: [SQLFragment] = ["t0.Z_PK"]
        var cells: [Cell] = []
        for slot in slots {
            guard let index = slot.column, table.columns.indices.contains(index) else {
                cells.append(.none)
                continue
            }
            let (cell, selected) = Self.cell(slot, table.columns[index], schema)
            cells.append(cell)
            columns += selected
        }
        (self.cells, self.columns) = (cells, columns)
    }

    private static func cell(
        _ slot: PropertySlot, _ column: StoredColumn, _ schema: StoreSchema
    ) -> (Cell, [SQLFragment]) {
        let name = column.name
        if let relationship = slot.relationship {
            let key: SQLFragment = "t0.\(name)"
            return (
                .reference(
                    hasEntity: column.entityColumn != nil,
                    family: schema.model[relationship.destination].family),
                column.entityColumn.map { [key, "t0.\($0)"] } ?? [key]
            )
        }
        guard let attribute = slot.attribute else { return (.none, []) }
        switch attribute.type {
        case .composite:
            let elements = column.elements.map { "t0.\($0.name)" as SQLFragment }
            return (.composite(column.elements), elements)
        case .string, .uri:
            return (.text, ["substr(t0.\(name), 1, \(ValuePreview.textLength))", "length(t0.\(name))"])
        case .binary, .transformable:
            let isExternal = schema.keepsExternalFiles && attribute.allowsExternalStorage
            let count = isExternal ? externalNameLength : ValuePreview.byteCount
            return (
                isExternal ? .external : .bytes, ["substr(t0.\(name), 1, \(count))", "length(t0.\(name))"]
            )
        default:
            return (.value(attribute.type), ["t0.\(name)"])
        }
    }

    /// The length of the name of a file in a column, with its marker and the zero at its end (sqlite-store §6).
    private static let externalNameLength = 38

    // MARK: Reading

    /// Returns the previews of a row, in the order of the slots.
    func previews(of row: any SQLStatement) -> [ValuePreview] {
        var column: Int32 = 1
        func next() -> SQLValue {
            defer { column += 1 }
            return row.value(at: column)
        }
        return cells.map { cell in
            switch cell {
            case .none: return .value(.null)
            case .value(let type): return ValuePreview(AttributeValue(next(), as: type))
            case .text:
                let (text, length) = (next(), next())
                guard case .text(let beginning) = text, case .integer(let length) = length else {
                    return ValuePreview(AttributeValue(text, as: .string))
                }
                return .text(beginning, length: Int(length))
            case .bytes: return Self.bytes(next(), next())
            case .external: return Self.external(next(), next())
            case .composite(let elements):
                return .value(
                    .composite(of: elements.map { ($0.path[...], AttributeValue(next(), as: $0.type)) }))
            case .reference(let hasEntity, let family):
                let (key, number) = (next(), hasEntity ? next() : .null)
                guard case .integer(let key) = key, key > 0 else { return .value(.null) }
                let entity = number.number.flatMap { schema.entity(numbered: $0, in: family) }
                return .value(.reference(ObjectReference(entity: entity ?? family.lowerBound, key: key)))
            }
        }
    }

    private static func bytes(_ beginning: SQLValue, _ length: SQLValue) -> ValuePreview {
        guard case .blob(let bytes) = beginning, case .integer(let length) = length else {
            return ValuePreview(AttributeValue(beginning, as: .binary))
        }
        return .bytes(bytes, length: Int(length))
    }

    private static func external(_ beginning: SQLValue, _ length: SQLValue) -> ValuePreview {
        guard case .blob(let bytes) = beginning, case .integer(let length) = length else {
            return ValuePreview(AttributeValue(beginning, as: .binary))
        }
        switch bytes.first {
        case nil: return .bytes(Data(), length: 0)
        case 1: return .bytes(Data(bytes.dropFirst().prefix(ValuePreview.byteCount)), length: Int(length) - 1)
        case 2 where length == externalNameLength:
            return .file(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
        default: return .unreadable(UnreadableValue(.unknownForm, stored: bytes, path: nil).message)
        }
    }
}

extension SQLValue {
    fileprivate var number: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }
}
