package import Foundation

/// A value at the edge of the framework: a default, a constant of a predicate, a cell of a dictionary result.
///
/// Rows hold their values packed (`Snapshot`), never as an array of these.
package enum AttributeValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case uri(URL)
    case reference(ObjectReference)
    case composite([String: AttributeValue])

    package var isNull: Bool { self == .null }

    /// Returns an element of a composite at the path of names; null if there is none.
    package func element(at path: some Sequence<String>) -> AttributeValue {
        path.reduce(self) { value, name in
            if case .composite(let elements) = value { elements[name] ?? .null } else { .null }
        }
    }

    /// Makes a composite of the elements that have values, each with the path of names that leads to it; null
    /// if none has a value.
    package static func composite(of leaves: [(path: ArraySlice<String>, value: AttributeValue)]) -> Self {
        let present = leaves.filter { !$0.value.isNull }
        guard !present.isEmpty else { return .null }
        let byName = Dictionary(grouping: present) { $0.path.first ?? "" }
        return .composite(
            byName.mapValues { leaves in
                leaves[0].path.count == 1
                    ? leaves[0].value : composite(of: leaves.map { ($0.path.dropFirst(), $0.value) })
            })
    }
}
