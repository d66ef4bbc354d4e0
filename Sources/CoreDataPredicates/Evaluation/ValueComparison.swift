package import CoreDataValues
import Foundation

/// Equality and order of values in predicates. Numbers are compared by value whatever their type, and objects
/// by identity or row. Null equals only null and has no order.
package enum ValueComparison {
    package static func equals(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool {
        if case .value(.string(let left)) = left, case .value(.string(let right)) = right {
            // Compared byte by byte, as in databases, not by Unicode's canonical equivalence.
            return left.hasSameBytes(as: right)
        }
        if let first = PromotedNumber(left), let second = PromotedNumber(right) {
            return PromotedNumber.compare(first, second) == 0
        }
        if let first = left.rowReference, let second = right.rowReference {
            if first == second { return true }
            // References with two entities may denote the same row.
            guard first.key == second.key, case .object(let first) = left, case .object(let second) = right
            else { return false }
            return first.identity == second.identity
        }
        if case .collection(let first, let firstOrdered) = left,
            case .collection(let second, let secondOrdered) = right
        {
            return firstOrdered && secondOrdered
                ? first.elementsEqual(second, by: equals) : equalSets(first, second)
        }
        if left.entityName != nil || right.entityName != nil {
            return left.entityName ?? left.text == right.entityName ?? right.text
        }
        if let first = left.elements, let second = right.elements {
            return Set(first.keys).union(second.keys).allSatisfy { name in
                equals(first[name] ?? .null, second[name] ?? .null)
            }
        }
        return left == right
    }

    private static func equalSets(_ left: [ExpressionValue], _ right: [ExpressionValue]) -> Bool {
        left.allSatisfy { element in right.contains { equals($0, element) } }
            && right.allSatisfy { element in left.contains { equals($0, element) } }
    }

    /// Returns -1, 0 or 1; nil if the values have no order.
    package static func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int? {
        if let first = PromotedNumber(left), let second = PromotedNumber(right) {
            return PromotedNumber.compare(first, second)
        }
        switch (left, right) {
        case (.value(.string(let left)), .value(.string(let right))):
            return StringComparison.compare(left, right, options: [])
        case (.value(.date(let left)), .value(.date(let right))):
            return left < right ? -1 : left > right ? 1 : 0
        case (.value(.data(let left)), .value(.data(let right))): return order(left, right)
        case (.value(.uuid(let left)), .value(.uuid(let right))):
            return withUnsafeBytes(of: left.uuid) { left in
                withUnsafeBytes(of: right.uuid) { right in order(left, right) }
            }
        case (.value(.uri(let left)), .value(.uri(let right))):
            return StringComparison.compare(left.absoluteString, right.absoluteString, options: [])
        default:
            guard let first = left.rowReference, let second = right.rowReference else { return nil }
            return order([Int64(first.entity), first.key], [Int64(second.entity), second.key])
        }
    }

    private static func order<Element: Comparable>(
        _ left: some Sequence<Element>,
        _ right: some Sequence<Element>
    ) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}

extension ExpressionValue {
    /// The elements of a composite, or of a dictionary that is compared with a composite.
    fileprivate var elements: [String: ExpressionValue]? {
        switch self {
        case .value(.composite(let elements)): return elements.mapValues(ExpressionValue.value)
        case .object(let object as KeyedDictionary):
            let keys = object.dictionary.allKeys.compactMap { $0 as? String }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, object.expressionValue(forKey: $0)) })
        default: return nil
        }
    }

    package var isNull: Bool { if case .value(.null) = self { true } else { false } }

    /// The reference of the row that this value is or stands for.
    package var rowReference: ObjectReference? {
        switch self {
        case .value(.reference(let reference)): reference
        case .object(let object): object.rowReference
        default: nil
        }
    }

    fileprivate var entityName: String? {
        if case .object(let object) = self { object.entityName } else { nil }
    }

    /// The text that the string operators search. Numbers and identifiers are converted to text.
    package var text: String? {
        switch self {
        case .value(.string(let string)): string
        case .value(.uri(let url)): url.absoluteString
        case .value(.uuid(let uuid)): uuid.uuidString
        case .value(.integer), .value(.double), .value(.decimal), .value(.boolean): NodePrinter.format(self)
        default: nil
        }
    }

    /// The value as error messages show it.
    package var summary: String { NodePrinter.format(self) }
}
