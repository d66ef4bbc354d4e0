import CoreData
import Foundation

/// Items with an attribute of each type that a column has.
@MainActor
enum ItemValues {
    private static let types: [(String, NSAttributeType)] = [
        ("n", .integer64AttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
        ("amount", .decimalAttributeType), ("size", .doubleAttributeType), ("isOn", .booleanAttributeType),
        ("uuid", .UUIDAttributeType), ("data", .binaryDataAttributeType), ("link", .URIAttributeType),
    ]

    static var model: NSManagedObjectModel { ItemStore.model(types.map(ItemStore.attribute)) }

    /// Returns the values of an item, some of which are nil.
    static func ofItem(_ number: Int) -> [String: Any] {
        let byte = UInt8(truncatingIfNeeded: number)
        let all: [String: Any] = [
            "n": number, "text": number % 5 == 0 ? "" : "é \(number)",
            "date": Date(timeIntervalSinceReferenceDate: Double(number) / 7),
            "amount": NSDecimalNumber(string: "-\(number).000\(number)"), "size": Double(number) / 3,
            "isOn": number % 2 == 0,
            "uuid": UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
            "data": Data(repeating: byte, count: number % 40),
            "link": URL(fileURLWithPath: "/\(number)"),
        ]
        return all.filter { $0.key == "n" || (number + $0.key.count) % 6 != 0 }
    }
}
