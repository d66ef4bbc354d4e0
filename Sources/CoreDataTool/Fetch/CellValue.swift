import CoreData
package import CoreDataJSON
import CoreDataValues
import Foundation

/// The forms of a value of a fetched object: JSON for programs, text for people.
package enum CellValue {
    package static func json(_ value: Any?) -> JSONValue {
        switch value {
        case nil, is NSNull: .null
        case let id as NSManagedObjectID: .string(text(of: id))
        case let object as NSManagedObject: .string(text(of: object.objectID))
        case let date as Date:
            DateCoding.text(of: date).map { .string($0) } ?? .double(date.timeIntervalSinceReferenceDate)
        case let data as Data: .string(data.base64EncodedString())
        case let uuid as UUID: .string(uuid.uuidString)
        case let url as URL: .string(url.absoluteString)
        case let text as String: .string(text)
        case let number as NSDecimalNumber: .string(number.description)
        case let number as NSNumber: json(number)
        case let members as NSOrderedSet: .array(members.array.map(json))
        case let members as NSSet: .array(sorted(members.allObjects.map(json)))
        case let members as [Any]: .array(members.map(json))
        case let values as [String: Any]:
            .object(values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, json($0.value)) })
        case let value?: .string("\(value)")
        }
    }

    private static func json(_ number: NSNumber) -> JSONValue {
        switch String(cString: number.objCType) {
        case "c", "B": .boolean(number.boolValue)
        case "d", "f": .double(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }

    private static func sorted(_ values: [JSONValue]) -> [JSONValue] {
        values.sorted { ($0.string ?? "").localizedStandardCompare($1.string ?? "") == .orderedAscending }
    }

    /// Returns the end of the object's URI, such as `Book/p12`.
    static func text(of id: NSManagedObjectID) -> String { id.rowName }

    /// Returns the text in a table or a CSV file. The text of binary data is the number of its bytes.
    static func text(_ value: JSONValue, of raw: Any?) -> String {
        if let data = raw as? Data { return counted(data.count, "byte") }
        return switch value {
        case .null: ""
        case .string(let text): text
        case .array(let members):
            members.map { text($0, of: nil) }.joined(separator: " ")
        default: value.line
        }
    }
}
