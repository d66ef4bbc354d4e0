import CoreDataValues

/// The type of a placeholder.
///
/// A driver with binary parameters has to know the type when it prepares a statement, when there is no value
/// yet. A value may later be null, or of another type, since a predicate may compare a column with a constant
/// of another type.
package enum SQLPlaceholder: Sendable, Hashable {
    case value(BoundType)
    /// A list of values that are bound as one.
    case list(BoundType)

    package static let integer = SQLPlaceholder.value(.attribute(.integer64))
    package static let double = SQLPlaceholder.value(.attribute(.double))
    package static let text = SQLPlaceholder.value(.attribute(.string))
    package static let bytes = SQLPlaceholder.value(.attribute(.binary))
    package static let integers = SQLPlaceholder.list(.attribute(.integer64))
    package static let texts = SQLPlaceholder.list(.attribute(.string))

    /// Makes the type of a value; that of null is unknown.
    init(_ value: SQLValue) {
        switch value {
        case .null: self = .value(.unknown)
        case .integer: self = .integer
        case .double: self = .double
        case .text: self = .text
        case .blob: self = .bytes
        case .integers: self = .integers
        case .texts: self = .texts
        }
    }

    /// An array of this placeholder alone. Those for keys, by which most statements with one placeholder find
    /// their rows, are shared, so that they need no memory.
    var alone: [SQLPlaceholder] {
        switch self {
        case .integer: Self.oneInteger
        case .integers: Self.oneList
        default: [self]
        }
    }

    private static let oneInteger = [integer]
    private static let oneList = [integers]
}
