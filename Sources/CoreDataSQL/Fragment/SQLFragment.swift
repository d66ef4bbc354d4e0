package import Foundation

/// SQL text with the values bound to its placeholders: composable, printable, comparable.
package struct SQLFragment: Sendable, Equatable, CustomStringConvertible {
    package fileprivate(set) var sql: SQLText
    package private(set) var bindings: [SQLValue]
    /// The values that each run provides; null stands in their places.
    private(set) var parameters: [SQLParameter] = []

    package init(_ sql: SQLText = "", bindings: [SQLValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }

    /// Makes a placeholder whose value is not known yet.
    init(_ parameter: SQLParameter) {
        (sql, bindings, parameters) = (SQLText(.value(parameter.type)), [.null], [parameter])
    }

    package var isEmpty: Bool { sql.isEmpty }

    /// The value, if this is nothing but a constant.
    var constant: SQLValue? {
        sql == "?" && parameters.isEmpty && bindings.count == 1 ? bindings[0] : nil
    }

    package var description: String {
        bindings.isEmpty ? sql.string : "\(sql) -- \(bindings.map(\.description).joined(separator: ", "))"
    }

    // `SQLText` has no interpolation of a fragment: a literal with one would become a text without the
    // fragment's values.
    package mutating func append(_ fragment: SQLFragment) {
        sql += fragment.sql
        for var parameter in fragment.parameters {
            parameter.position += bindings.count
            parameters.append(parameter)
        }
        // Where only one part has values, its array is not copied.
        if bindings.isEmpty { bindings = fragment.bindings } else { bindings += fragment.bindings }
    }

    /// Appends a placeholder and its value.
    ///
    /// - Parameter type: The type that the value stands for; if unknown, that of the value itself.
    package mutating func bind(_ value: SQLValue, as type: BoundType = .unknown) {
        sql += SQLText(type == .unknown ? SQLPlaceholder(value) : .value(type))
        bindings.append(value)
    }

    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var result = left
        result.append(right)
        return result
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    /// Makes a fragment of a literal. Everything else is interpolated.
    package init(stringLiteral value: String) { self.init(SQLText(stringLiteral: value)) }

    package init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

    /// The interpolation of `"\(column) = \(bind: value)"`: plain text is SQL, `bind:` becomes a placeholder.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment()

        /// Reserves nothing, since most fragments are so short that they are stored inline.
        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ literal: String) { fragment.sql.append(literal: literal) }
        package mutating func appendInterpolation(_ name: SQLIdentifier) { fragment.sql.append(name) }
        package mutating func appendInterpolation(_ text: SQLText) { fragment.sql += text }
        package mutating func appendInterpolation(_ number: Int64) { fragment.sql.append(number) }
        package mutating func appendInterpolation(_ number: Int) { fragment.sql.append(Int64(number)) }
        package mutating func appendInterpolation(quoting value: String) {
            fragment.sql.append(quoting: value)
        }
        package mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }
        package mutating func appendInterpolation(bind value: SQLValue, as type: BoundType = .unknown) {
            fragment.bind(value, as: type)
        }
    }
}

extension Sequence<SQLFragment> {
    package func joined(separator: SQLText) -> SQLFragment {
        var rest = makeIterator()
        var result = rest.next() ?? SQLFragment()
        while let fragment = rest.next() {
            result.sql += separator
            result.append(fragment)
        }
        return result
    }
}

/// A value as a database stores it.
package enum SQLValue: Sendable, Hashable, CustomStringConvertible {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case blob(Data)
    /// A list of keys or other numbers, bound to one placeholder; never read.
    case integers([Int64])
    /// A list of texts, bound to one placeholder; never read.
    case texts([String])

    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .text(let value): "'\(value)'"
        case .blob(let value): "x'\(value.count) bytes'"
        case .integers(let values): "[\(values.map(String.init).joined(separator: ", "))]"
        case .texts(let values): "[\(values.map { "'\($0)'" }.joined(separator: ", "))]"
        }
    }
}
