import CoreDataPredicates
import CoreDataValues
import Foundation

/// The compiler of a partial index's condition. Its constants are written into the text, since DDL has no
/// placeholders.
struct PartialPredicateCompiler {
    /// The encoder of constants for a database that compares values of one type only; nil for others.
    let encoder: ConstantEncoder?
    /// Returns the column of a property with its type, or nil if it has none.
    let column: (String) -> (name: SQLIdentifier, type: BoundType)?

    /// Returns the condition; nil if the predicate contains anything but comparisons of columns with
    /// constants.
    func sql(_ node: PredicateNode) -> SQLText? {
        switch node {
        case .comparison(let comparison): return self.comparison(comparison)
        case .compound(let logical, let operands):
            let parts = operands.compactMap(sql)
            guard parts.count == operands.count, !parts.isEmpty else { return nil }
            switch logical {
            case .not: return "NOT (\(parts[0]))"
            case .and: return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " AND ")))"
            case .or: return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
            }
        case .constant, .block: return nil
        }
    }

    private func comparison(_ node: ComparisonNode) -> SQLText? {
        guard node.modifier == .direct, node.options.isEmpty, let (name, type) = property(node.left),
            case .constant(.value(let value)) = node.right
        else { return nil }
        if value.isNull {
            switch node.operator {
            case .equalTo: return "\(name) IS NULL"
            case .notEqualTo: return "\(name) IS NOT NULL"
            default: return nil
            }
        }
        guard let symbol = Self.symbol(node.operator), let literal = literal(value, as: type) else {
            return nil
        }
        return "\(name) \(symbol) \(literal)"
    }

    private func literal(_ value: AttributeValue, as type: BoundType) -> SQLText? {
        guard let encoder else { return Self.literal(value) }
        switch try? encoder.encode(value, as: type) {
        case .integer(let number): return "\(number)"
        case .double(let number): return SQLText(literal: number)
        case .text(let text) where type.isText: return "\(quoting: text)"
        case .text(let digits): return Decimal(string: digits).flatMap { SQLText(literal: $0) }
        case .null, .blob, .integers, .texts, nil: return nil
        }
    }

    private func property(_ node: ExpressionNode) -> (name: SQLIdentifier, type: BoundType)? {
        guard case .keyPath(.evaluatedObject, let keys) = node, keys.count == 1 else { return nil }
        return column(keys[0])
    }

    private static func symbol(_ comparison: ComparisonOperator) -> SQLText? {
        switch comparison {
        case .equalTo: "="
        case .notEqualTo: "<>"
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        default: nil
        }
    }

    private static func literal(_ value: AttributeValue) -> SQLText? {
        switch value {
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number): SQLText(literal: number)
        case .decimal(let number): SQLText(literal: number)
        // The database would end the statement at a NUL.
        case .string(let text): text.utf8.contains(0) ? nil : "\(quoting: text)"
        case .date(let date): SQLText(literal: date.timeIntervalSinceReferenceDate)
        case .null, .data, .uuid, .uri, .reference, .composite: nil
        }
    }
}
