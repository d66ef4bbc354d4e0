import CoreDataValues
package import Foundation

/// A property list as a value, with the object references of keyed archives. Foundation on Linux reads these
/// references as opaque objects and cannot write them.
package enum PropertyList: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    /// A reference: a position in the `$objects` of a keyed archive.
    case uid(Int)
    case array([PropertyList])
    case dictionary([String: PropertyList])

    package subscript(_ key: String) -> PropertyList? {
        if case .dictionary(let entries) = self { entries[key] } else { nil }
    }

    package var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var uid: Int? {
        if case .uid(let index) = self { index } else { nil }
    }
}

/// Compares values by their written form. In Swift, strings that spell a letter in different ways are equal,
/// and so are zero and negative zero.
///
/// Not inlined, since collections of values would repeat all of it at each use.
extension PropertyList: Hashable {
    @inline(never)
    package static func == (left: PropertyList, right: PropertyList) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.uid(let left), .uid(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }

    @inline(never)
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .date(let date): hasher.combine(date)
        case .data(let data): hasher.combine(data)
        case .uid(let index): hasher.combine(~index)
        case .array(let elements): hasher.combine(elements)
        case .dictionary(let entries): hasher.combine(entries)
        }
    }
}
