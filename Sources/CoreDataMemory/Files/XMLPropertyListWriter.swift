import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The writer of a property list in the form that it has inside Apple's XML stores: indented with blanks, one
/// value per line.
struct XMLPropertyListWriter {
    private(set) var text = ""
    private var indent: Int

    init(indent: Int) {
        self.indent = indent
    }

    mutating func add(_ value: Any) throws(StoreError) {
        switch value {
        case let dictionary as [String: Any]:
            line("<dict>")
            indent += 4
            for key in dictionary.keys.sorted() {
                leaf("key", try escaped(key))
                try add(dictionary[key] ?? "")
            }
            indent -= 4
            line("</dict>")
        case let array as [Any]:
            line("<array>")
            indent += 4
            for element in array { try add(element) }
            indent -= 4
            line("</array>")
        case let string as String: leaf("string", try escaped(string))
        case let data as Data: leaf("data", "\n\t\t\(data.base64EncodedString())\n\t\t")
        case let date as Date: leaf("date", date.formatted(.iso8601))
        case let number as NSNumber: add(number)
        default: throw StoreError(.invalidValue, "the metadata has a value of type \(type(of: value))")
        }
    }

    private mutating func add(_ number: NSNumber) {
        switch AttributeValue(boxing: number) {
        case .boolean(let flag): line(flag ? "<true/>" : "<false/>")
        case .double(let value): leaf("real", value.description)
        default: leaf("integer", number.stringValue)
        }
    }

    private func escaped(_ text: String) throws(StoreError) -> String {
        try XMLText.escaped(text, of: "the metadata")
    }

    private mutating func leaf(_ name: String, _ content: String) { line("<\(name)>\(content)</\(name)>") }

    private mutating func line(_ content: String) {
        text += String(repeating: " ", count: indent) + content + "\n"
    }
}
