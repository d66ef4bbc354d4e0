import Foundation

/// A property list as a value, object references of keyed archives included: Foundation on Linux reads those
/// as opaque objects and cannot write them.
enum PropertyList: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    /// A position in the `$objects` of a keyed archive.
    case uid(Int)
    case array([PropertyList])
    case dictionary([String: PropertyList])

    subscript(_ key: String) -> PropertyList? {
        if case .dictionary(let entries) = self { entries[key] } else { nil }
    }

    var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var uid: Int? {
        if case .uid(let index) = self { index } else { nil }
    }
}
