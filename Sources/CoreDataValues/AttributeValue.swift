package import Foundation

/// One value at the edge of the framework: a default, a constant of a predicate, a cell of a dictionary
/// result. Rows hold their values packed (`Snapshot`), never as an array of these.
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
}
