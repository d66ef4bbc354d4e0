import CoreDataValues
import Foundation

/// A long constant list as a hash table, for values whose equality needs no conversion.
struct MembershipSet: Sendable {
    private enum Key: Hashable {
        case null
        case integer(Int64)
        case string(LiteralString)
        case date(Date)
        case uuid(UUID)

        init?(_ value: ExpressionValue, _ options: ComparisonOptions) {
            switch value {
            case .value(.null): self = .null
            case .value(.integer(let number)): self = .integer(number)
            case .value(.boolean(let flag)): self = .integer(flag ? 1 : 0)
            case .value(.string(let string)):
                self = .string(LiteralString(text: StringComparison.foldedKey(string, options: options)))
            case .value(.date(let date)): self = .date(date)
            case .value(.uuid(let uuid)): self = .uuid(uuid)
            default: return nil
            }
        }
    }

    /// A string that is equal only to strings with the same bytes.
    private struct LiteralString: Hashable {
        let text: String

        static func == (left: LiteralString, right: LiteralString) -> Bool {
            left.text.hasSameBytes(as: right.text)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private let keys: Set<Key>
    /// The rows by their keys. References with several entities may denote the same row.
    private let rows: [Int64: [ExpressionValue]]
    private let values: [ExpressionValue]
    private let options: ComparisonOptions

    /// The length from which hashing a list is faster than comparing its elements.
    private static let shortest = 8

    /// Makes the set of a list; nil for a short list, and for one that contains a value that has to be
    /// compared individually.
    ///
    /// - Parameter options: The options that decide which strings are equal. Each string is folded once.
    init?(_ node: ExpressionNode, options: ComparisonOptions) {
        guard !options.contains(.localeSensitive), let values = node.constantElements,
            values.count >= Self.shortest
        else { return nil }
        var keys: Set<Key> = []
        var rows: [Int64: [ExpressionValue]] = [:]
        for value in values {
            if let reference = value.rowReference {
                rows[reference.key, default: []].append(value)
                continue
            }
            guard let key = Key(value, options) else { return nil }
            keys.insert(key)
        }
        self.keys = keys
        self.rows = rows
        self.values = values
        self.options = options
    }

    func contains(_ value: ExpressionValue) -> Bool {
        if let reference = value.rowReference {
            return rows[reference.key]?.contains { ValueComparison.equals(value, $0) } ?? false
        }
        if let key = Key(value, options) { return keys.contains(key) }
        return values.contains { ValueComparison.equals(value, $0) }
    }
}

extension ExpressionNode {
    /// The elements of a list that does not depend on an object.
    var constantElements: [ExpressionValue]? {
        switch self {
        case .constant(.collection(let elements, _)): return elements
        case .aggregate(let nodes):
            var elements: [ExpressionValue] = []
            for node in nodes {
                guard case .constant(let value) = node else { return nil }
                elements.append(value)
            }
            return elements
        default: return nil
        }
    }
}
