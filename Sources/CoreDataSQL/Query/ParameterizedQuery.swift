import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// A query separated from the constants that its predicate compares paths with, as in
/// `code == "x" AND owner == %@`.
///
/// Queries with equal templates share one statement, which runs with different values.
///
/// A constant is separated only if nothing but the value of a placeholder depends on it. Nil becomes `IS
/// NULL`, a short list has a placeholder for each element, and part of a string may become the bounds of a
/// range. Nil, Booleans and integers that are not separated stay in the template. A query with any other such
/// constant has no template, since texts or fractions that are equal in Swift may differ for the database.
struct ParameterizedQuery {
    /// The query with variables in the places of its constants, each named by its number.
    private(set) var template: FetchQuery
    private(set) var constants: [ExpressionValue] = []
    /// The number of characters that a separated text may have at most; nil for any number.
    private let longestText: Int?

    /// Separates the constants; nil if the query has to be compiled each time.
    ///
    /// - Parameter indexedTextLength: The number of characters of a text that indexes have. A text that is no
    ///   shorter needs other SQL.
    init?(_ query: FetchQuery, indexedTextLength: Int? = nil) {
        guard query.shape.dictionary == nil else { return nil }
        longestText = indexedTextLength.map { $0 - 1 }
        template = query
        guard let predicate = query.predicate else { return }
        guard let template = template(of: predicate) else { return nil }
        self.template.predicate = template
    }

    /// The numbers of constants by the names of their variables.
    static let parameters = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    private static let names = (0..<16).map { "?\($0)" }
    private static let variables = names.map(ExpressionNode.variable)

    // MARK: Predicates

    private mutating func template(of predicate: PredicateNode) -> PredicateNode? {
        switch predicate {
        case .constant: return predicate
        case .block: return nil
        case .compound(let logical, let operands):
            var templates: [PredicateNode] = []
            templates.reserveCapacity(operands.count)
            for operand in operands {
                guard let template = template(of: operand) else { return nil }
                templates.append(template)
            }
            return .compound(logical, templates)
        case .comparison(var comparison):
            if comparison.isOfPath, case .constant(let value) = comparison.right, value.isInterchangeable,
                longestText.map(value.isText(withinLimit:)) ?? true
            {
                guard constants.count < Self.variables.count else { return nil }
                comparison.right = Self.variables[constants.count]
                constants.append(value)
                return .comparison(comparison)
            }
            return predicate.containsExpression(where: Self.isParticular) ? nil : predicate
        }
    }

    /// Returns whether expressions that are equal may need different SQL or different values of placeholders.
    private static func isParticular(_ expression: ExpressionNode) -> Bool {
        switch expression {
        case .constant(.value(.null)), .constant(.value(.boolean)), .constant(.value(.integer)): false
        case .constant, .fetch, .block: true
        case .variable(let name): parameters[name] != nil
        default: false
        }
    }
}

extension ComparisonNode {
    /// Whether the left side is one column for any right side, and SQL has an operator for the comparison.
    fileprivate var isOfPath: Bool {
        switch `operator` {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: break
        default: return false
        }
        return switch left {
        case .evaluatedObject: true
        // Depending on the constant, a count of members may become EXISTS.
        case .keyPath(.evaluatedObject, let keys): !keys.contains { $0.utf8.first == UInt8(ascii: "@") }
        default: false
        }
    }
}

extension ExpressionValue {
    /// Whether only the value of a placeholder depends on the constant.
    fileprivate var isInterchangeable: Bool {
        switch self {
        case .value(.null), .value(.composite): false
        // Longer data may lie in an external file.
        case .value(.data(let bytes)): bytes.count <= ExternalBytes.longestInline
        case .value, .object: true
        case .collection, .opaque: false
        }
    }

    /// Returns whether the value has no more characters as a text.
    fileprivate func isText(withinLimit most: Int) -> Bool {
        switch self {
        case .value(.string(let text)): text.utf8.count <= most
        case .value(.uri(let url)): url.absoluteString.utf8.count <= most
        default: true
        }
    }
}
