import CoreDataSQL
import CoreDataSQLite
import CoreDataTool
import Foundation

@testable import CoreDataModelFormat

/// Small files that a reader must refuse, since following their references would never end, or fill the
/// memory.
enum HostileBytes {
    // MARK: Binary property lists

    /// Returns a property list of encoded objects, the first of which is the root.
    static func list(_ objects: [[UInt8]], referenceSize: UInt8 = 1, offsets: [Int]? = nil) -> Data {
        var bytes = Array("bplist00".utf8)
        var places: [Int] = []
        for object in objects {
            places.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for place in offsets ?? places { bytes += big(place, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, referenceSize]
        for number in [(offsets ?? places).count, 0, table] { bytes += big(number, 8) }
        return Data(bytes)
    }

    private static func big(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }

    /// A dictionary whose value is an array that contains the next dictionary twice, and so on.
    static func doublingList(levels: UInt8) -> Data {
        list([[0xD1, 1, 2], [0x51, 0x61]] + (0..<levels).map { [0xA2, $0 + 3, $0 + 3] } + [[0xA0]])
    }

    static let circularList = list([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 2]])

    /// An array of many references to one object, which is itself an array of as many texts.
    static func overlappingList(objects: Int) -> Data {
        func array(of references: [Int]) -> [UInt8] {
            [0xAF, 0x12] + big(references.count, 4) + references.flatMap { big($0, 4) }
        }
        let root = array(of: (0..<objects).map { $0 + 2 })
        let text: [UInt8] = [0x51, 0x61]
        let inner = 8 + root.count + text.count
        return list(
            [root, text, array(of: Array(repeating: 1, count: objects))], referenceSize: 4,
            offsets: [8, 8 + root.count] + Array(repeating: inner, count: objects))
    }

    // MARK: Property lists that are texts

    static func deepXMLList(levels: Int) -> Data {
        Data(
            ("<?xml version=\"1.0\"?><plist version=\"1.0\">" + String(repeating: "<array>", count: levels)
                + String(repeating: "</array>", count: levels) + "</plist>").utf8)
    }

    static func deepOldList(levels: Int) -> Data {
        Data((String(repeating: "(", count: levels) + String(repeating: ")", count: levels)).utf8)
    }

    static let entityList = Data(
        """
        <?xml version="1.0"?><!DOCTYPE plist [\(growingEntities)]>\
        <plist version="1.0"><dict><key>a</key><string>&e9;</string></dict></plist>
        """.utf8)

    /// Entities in XML, each of which is ten times the one before.
    static let growingEntities =
        "<!ENTITY e0 \"aaaaaaaaaa\">"
        + (1...9).map { level in
            "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
        }.joined()

    // MARK: Compiled models

    /// Returns an archive with a model at its root.
    private static func model(
        _ objects: [PropertyList], entities: [(String, Int)], templates: [(String, Int)] = []
    ) -> Data {
        let classes = [
            "NSManagedObjectModel", "NSDictionary", "NSEntityDescription", "NSAttributeDescription",
        ]
        // The classes come first, at 1 to 4, then the root and its dictionary.
        let named = classes.map { PropertyList.dictionary(["$classname": .string($0)]) }
        let all = [.string("$null")] + named + [.null, table(entities)] + objects + [table(templates)]
        let root = PropertyList.dictionary([
            "$class": .uid(1), "NSEntities": .uid(6), "NSFetchRequestTemplates": .uid(all.count - 1),
        ])
        return archive(all.enumerated().map { $0 == 5 ? root : $1 }, root: 5)
    }

    private static func table(_ entries: [(String, Int)]) -> PropertyList {
        .dictionary([
            "$class": .uid(2), "NS.keys": .array(entries.map { .string($0.0) }),
            "NS.objects": .array(entries.map { .uid($0.1) }),
        ])
    }

    private static func archive(_ objects: [PropertyList], root: Int) -> Data {
        BinaryPropertyListWriter.write(
            .dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(root)]), "$objects": .array(objects),
            ]))
    }

    private static let firstObject = 7

    private static func entity(
        _ name: String, below parent: Int? = nil, properties: Int? = nil
    ) -> PropertyList {
        var fields: [String: PropertyList] = ["$class": .uid(3), "NSEntityName": .string(name)]
        fields["NSSuperentity"] = parent.map { .uid($0) }
        fields["NSProperties"] = properties.map { .uid($0) }
        return .dictionary(fields)
    }

    /// Each entity is the parent of the next.
    static func lineOfDescent(entities: Int) -> Data {
        model(
            (0..<entities).map { entity("E\($0)", below: $0 > 0 ? firstObject + $0 - 1 : nil) },
            entities: (0..<entities).map { ("E\($0)", firstObject + $0) })
    }

    static let ownAncestor = model(
        [entity("A", below: firstObject + 1), entity("B", below: firstObject)],
        entities: [("A", firstObject), ("B", firstObject + 1)])

    /// One entity with properties, and many that inherit them.
    static func broadDescent(properties: Int, entities: Int) -> Data {
        let attributes = (0..<properties).map { number in
            PropertyList.dictionary([
                "$class": .uid(4), "NSPropertyName": .string("p\(number)"), "NSAttributeType": .integer(700),
            ])
        }
        let table = table((0..<properties).map { ("p\($0)", firstObject + 2 + $0) })
        let children = (0..<entities).map { entity("E\($0)", below: firstObject) }
        return model(
            [entity("Root", properties: firstObject + 1), table] + attributes + children,
            entities: [("Root", firstObject)]
                + (0..<entities).map { ("E\($0)", firstObject + 2 + properties + $0) })
    }

    /// A model whose entity has a composite attribute, an element of which is the attribute itself.
    static let circularComposites: Data = {
        let attribute = PropertyList.dictionary([
            "$class": .uid(4), "NSPropertyName": .string("c"), "NSAttributeType": .integer(2100),
            "NSCompositeName": .string("C"),
            "NSElements": .array([.uid(firstObject + 2), .uid(firstObject + 2)]),
        ])
        return model(
            [entity("A", properties: firstObject + 1), table([("c", firstObject + 2)]), attribute],
            entities: [("A", firstObject)])
    }()

    /// A predicate that contains the next one twice, and so on: in a template of a model, or alone.
    static func doublingPredicate(levels: Int, isRoot: Bool = false) -> Data {
        let first = isRoot ? 2 : firstObject + 3
        let compound: PropertyList = .uid(isRoot ? 1 : firstObject)
        let predicates = (0..<levels).map { level in
            PropertyList.dictionary([
                "$class": compound, "NSCompoundPredicateType": .integer(1),
                "NSSubpredicates": .array([.uid(first + level + 1), .uid(first + level + 1)]),
            ])
        }
        let last = PropertyList.dictionary(["$class": compound, "NSCompoundPredicateType": .integer(9)])
        let name = PropertyList.dictionary(["$classname": .string("NSCompoundPredicate")])
        guard !isRoot else { return archive([.string("$null"), name] + predicates + [last], root: 2) }
        let request = PropertyList.dictionary([
            "$class": .uid(firstObject + 1), "NSEntityName": .string("A"), "NSPredicate": .uid(first),
        ])
        let requestClass = PropertyList.dictionary(["$classname": .string("NSFetchRequest")])
        return model(
            [name, requestClass, request] + predicates + [last], entities: [],
            templates: [("t", firstObject + 2)])
    }

    /// An archive whose root is every object that it names.
    static let circularModel: Data = {
        var fields: [String: PropertyList] = ["$class": .uid(1)]
        for key in ["NSEntities", "NSFetchRequestTemplates", "NSConfigurations", "NSVersionIdentifiers"] {
            fields[key] = .uid(2)
        }
        fields["NS.keys"] = .array([.uid(2)])
        fields["NS.objects"] = .array([.uid(2)])
        return archive(
            [.string("$null"), .dictionary(["$classname": .string("NSDictionary")]), .dictionary(fields)],
            root: 2)
    }()

    // MARK: Pages

    /// Replaces the tree of a table by `levels` pages, each of which leads to the next one `children` times:
    /// an endless number of rows in a file of one page a level.
    static func shareChildren(of table: String, in store: URL, levels: Int, children: Int) throws {
        var file = try Data(contentsOf: store)
        let size = Int(file[16]) << 8 | Int(file[17])
        let connection = try SQLiteConnection(path: store.path, access: .scratch)
        let statement = try connection.prepare(
            "SELECT rootpage FROM sqlite_master WHERE name = \(quoting: table)")
        let rootPage = try statement.step() ? Int(statement.integer(at: 0)) : 0
        connection.close()
        let leaf = file.subdata(in: (rootPage - 1) * size..<rootPage * size)
        let pages = file.count / size
        /// Returns an interior page of a table.
        func interior(to child: Int) -> Data {
            var page = Data(count: size)
            page[0] = 5
            page.replaceSubrange(3..<5, with: big(children, 2))
            page.replaceSubrange(8..<12, with: big(child, 4))
            var content = size
            for number in 0..<children {
                content -= 6
                page.replaceSubrange(
                    content..<content + 6, with: big(child, 4) + [UInt8(0x81), UInt8(number & 0x7F)])
                page.replaceSubrange(12 + 2 * number..<14 + 2 * number, with: big(content, 2))
            }
            page.replaceSubrange(5..<7, with: big(content, 2))
            return page
        }
        file.replaceSubrange((rootPage - 1) * size..<rootPage * size, with: interior(to: pages + 1))
        for level in 1..<levels { file += interior(to: pages + level + 1) }
        file += leaf
        file.replaceSubrange(28..<32, with: big(pages + levels, 4))
        try file.write(to: store)
    }
}

extension HostileBytes {
    /// Returns the trailer of a property list, with the number of objects and the place of the offset table.
    static func trailer(objects: Int, table: Int) -> Data {
        Data([8, 0, 0, 0, 0, 0, 0, 1, 1] + big(objects, 8) + big(0, 8) + big(table, 8))
    }
}
