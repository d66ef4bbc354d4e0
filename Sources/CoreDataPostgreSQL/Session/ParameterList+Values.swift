import CoreDataLibpq
import CoreDataSQL
import CoreDataValues
import Foundation

extension ParameterList {
    /// Makes the parameters of a statement.
    init(_ values: [SQLValue], for sql: SQLText) {
        self.init()
        let placeholders = sql.placeholders
        for (index, value) in values.enumerated() {
            append(value, as: index < placeholders.count ? placeholders[index] : nil)
        }
    }

    /// Appends a value in the type that its placeholder has, as far as the value has a form in that type.
    ///
    /// A value of another type keeps its own, so that the server compares it with the column, or says that
    /// it cannot. NaN is null, as in every store.
    mutating func append(_ value: SQLValue, as placeholder: SQLPlaceholder?) {
        switch value {
        case .null: appendNull(as: placeholder?.type)
        case .integer(let number): append(number, as: placeholder?.type)
        case .double(let number): append(number, as: placeholder?.type)
        case .text(let text):
            if placeholder?.type == .numeric, let number = Decimal(string: text) {
                append(number)
            } else {
                append(text)
            }
        case .blob(let data):
            if placeholder?.type == .uuid, data.count == MemoryLayout<uuid_t>.size {
                append(data.withUnsafeBytes { UUID(binary: $0) })
            } else {
                append(data)
            }
        case .integers(let numbers): append(array: numbers)
        case .texts(let texts): append(array: texts)
        }
    }

    private mutating func append(_ number: Int64, as type: PostgreSQLType?) {
        switch type {
        case PostgreSQLType.float8: append(Double(number))
        case PostgreSQLType.numeric: append(Decimal(number))
        default: append(number)
        }
    }

    private mutating func append(_ number: Double, as type: PostgreSQLType?) {
        guard !number.isNaN else { return appendNull(as: type) }
        if type == .numeric, number.isFinite {
            append(Decimal(written: number))
        } else {
            append(number)
        }
    }
}

extension SQLPlaceholder {
    /// The server's type; nil for one that is not known.
    var type: PostgreSQLType? {
        switch self {
        case .value(let type): type.column
        case .list(let type): type.column?.array
        }
    }
}

extension BoundType {
    /// The type of a column of such values; nil if it is not known.
    var column: PostgreSQLType? {
        switch self {
        case .attribute(let type):
            switch type {
            case .integer16, .integer32, .integer64, .boolean: .int8
            case .double, .float, .date: .float8
            case .decimal: .numeric
            case .string, .uri, .objectID: .text
            case .uuid: .uuid
            case .binary, .transformable: .bytea
            case .composite, .undefined: nil
            }
        case .externalData: .bytea
        case .reference, .entity: .int8
        case .unknown: nil
        }
    }
}
