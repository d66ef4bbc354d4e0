package import CoreDataValues
import Foundation

/// The type of an expression's value, which decides how constants beside it are encoded.
package enum BoundType: Sendable, Hashable {
    case attribute(AttributeType)
    /// A blob column whose inline values start with a marker byte (sqlite-store §6).
    case externalData
    /// The key of a row of this entity.
    case reference(EntityIndex)
    /// A value of Z_ENT.
    case entity
    case unknown

    private enum Kind {
        case number, text, uuid, bytes
    }

    /// The kind of the values; nil if it is not known.
    private var kind: Kind? {
        switch self {
        case .reference, .entity: .number
        case .externalData: .bytes
        case .unknown: nil
        case .attribute(let type):
            switch type {
            case .integer16, .integer32, .integer64, .boolean, .date, .double, .float, .decimal: .number
            case .string, .uri, .objectID: .text
            case .uuid: .uuid
            case .binary, .transformable: .bytes
            case .composite, .undefined: nil
            }
        }
    }

    /// Returns whether values of both types are of one kind, or one of the kinds is not known.
    func isComparable(with other: BoundType) -> Bool {
        guard let kind, let otherKind = other.kind else { return true }
        return kind == otherKind
    }

    /// Returns whether a stored value is of the type's kind.
    func includes(_ value: SQLValue) -> Bool {
        switch (kind, value) {
        case (nil, _), (_, .null): true
        case (.number, .integer), (.number, .double), (.bytes, .blob): true
        // A decimal of many digits is stored as a text.
        case (.number, .text(let digits)):
            self == .attribute(.decimal) && Decimal(string: digits)?.description == digits
        case (.text, .text(let text)): !text.utf8.contains(0)
        case (.uuid, .blob(let bytes)): bytes.count == 16
        default: false
        }
    }

    /// Whether the values are numbers that may have a fraction.
    var isFractional: Bool {
        switch self {
        case .attribute(.decimal), .attribute(.double), .attribute(.float), .attribute(.date): true
        default: false
        }
    }

    var isText: Bool { self == .attribute(.string) || self == .attribute(.uri) }
}
