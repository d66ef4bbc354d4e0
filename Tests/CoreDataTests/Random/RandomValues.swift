import CoreData
import Foundation

/// Awkward values of every attribute type: few of each, so that equal ones occur.
enum RandomValues {
    enum Kind: String, CaseIterable {
        case short, int, long, double, float, decimal, flag, text, date, uuid, url, data, tags

        var type: NSAttributeType {
            switch self {
            case .short: .integer16AttributeType
            case .int: .integer32AttributeType
            case .long: .integer64AttributeType
            case .double: .doubleAttributeType
            case .float: .floatAttributeType
            case .decimal: .decimalAttributeType
            case .flag: .booleanAttributeType
            case .text: .stringAttributeType
            case .date: .dateAttributeType
            case .uuid: .UUIDAttributeType
            case .url: .URIAttributeType
            case .data: .binaryDataAttributeType
            case .tags: .transformableAttributeType
            }
        }

        var isNumber: Bool { numbers.contains(self) }
    }

    static let numbers: [Kind] = [.short, .int, .long, .double, .float, .decimal]

    static func kind(_ attribute: NSAttributeDescription) -> Kind? {
        Kind.allCases.first { $0.type == attribute.attributeType }
    }

    static let words = [
        "Ann", "ann", "ANN", "Zoë", "zoe", "Zo\u{65}\u{308}", "", "Bo", "bob", "Éric", "eric", "straße", "日本",
        "😀x", "o'b", "a_b", "a%b", "a*b", " ", "a\\b", "a?b", "[a]", "ﬁn", "İx", "\"q\"", "a\nb",
    ]

    static func value(_ kind: Kind, _ random: inout SeededGenerator) -> Any {
        switch kind {
        case .short, .int, .long: NSNumber(value: random.pick([-3, 0, 1, 2, 7, 20, 30]))
        case .double, .float: NSNumber(value: random.pick([-2.5, -0.5, 0, 1, 2.5, 7, 20]))
        case .decimal: NSDecimalNumber(string: random.pick(["-2.5", "0", "0.5", "1", "7", "20.25"]))
        case .flag: NSNumber(value: random.chance(50))
        case .text: random.pick(words)
        case .date: Date(timeIntervalSinceReferenceDate: random.pick([-5, 0, 0.5, 100, 4000]))
        case .uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(random.number(0...4))))
        case .url: URL(string: random.pick(["http://a.b", "http://a.b/c?d=e", "file:///x"])) ?? 0
        case .data: Data(random.pick([[], [0], [1, 2], [255, 0, 1]]))
        case .tags: NSArray(array: random.pick([[], ["a"], ["a", "b"], ["b", "a"]]))
        }
    }
}
