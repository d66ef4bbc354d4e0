import CoreDataCodegen
import CoreDataModelFormat
import Foundation
import Testing

@Suite("Symbols of @NSManaged declarations")
struct SymbolManglerTests {
    @Test(
        "Every generated accessor symbol is one that the compiler leaves undefined",
        arguments: Declarations.tables
    )
    func symbolsEqualTheCompilers(table: Declarations) throws {
        let probe = try CompilerProbe()
        defer { probe.remove() }
        for (name, text) in table.dependencies.sorted(by: { $0.key < $1.key }) {
            try probe.emitModule(name, text)
        }
        let expected = try probe.undefinedSymbols(table.files, module: table.module)
        #expect(!expected.isEmpty)

        let scanned = try table.files.map {
            try DeclarationReader.read(SourceText(path: $0.key, text: $0.value))
        }
        let library = ModuleLibrary(
            target: ModuleIndex(name: table.module, files: scanned),
            dependencies: table.dependencies.keys.sorted(),
            load: { name in
                let text = table.dependencies[name] ?? ""
                return try ModuleIndex(
                    name: name, sources: [SourceText(path: "\(name).swift", text: text)])
            })
        let catalog = ManagedClassCatalog(index: library.target, documents: [])
        let emitter = AccessorEmitter(catalog: catalog, library: library)
        var made: Set<String> = []
        for file in scanned {
            for property in file.properties {
                let signature = try emitter.signature(of: property)
                made.insert(SymbolMangler.symbol(of: .getter, for: signature))
                made.insert(SymbolMangler.symbol(of: .setter, for: signature))
            }
            for method in file.methods {
                made.insert(SymbolMangler.symbol(for: try emitter.signature(of: method)))
            }
        }
        #expect(made.subtracting(expected).sorted() == [], "made, unknown to the compiler")
        #expect(expected.subtracting(made).sorted() == [], "left undefined")
    }
}

/// Source files whose undefined symbols are compared.
struct Declarations: Sendable, CustomTestStringConvertible {
    var title: String
    var module = "App"
    var files: [String: String]
    var dependencies: [String: String] = [:]

    var testDescription: String { title }

    static let tables = [
        values, relationships, ownTypes, nesting, privacy, aliases, generics, methods, words, names,
        otherModules, protocols,
    ]

    private static func properties(_ types: [String]) -> String {
        types.enumerated().map { "    @NSManaged public var p\($0.offset): \($0.element)" }
            .joined(separator: "\n")
    }

    private static let values = Declarations(
        title: "values of Swift and Foundation",
        files: [
            "Values.swift": """
            import CoreData
            public class Values: NSManagedObject {
            \(properties([
                "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "String", "Date", "Data", "UUID", "URL",
                "Decimal", "NSNumber", "NSDecimalNumber", "NSSet", "NSOrderedSet", "NSObject", "NSData", "NSDate",
                "NSArray", "NSDictionary", "NSString", "NSAttributedString", "NSManagedObjectID", "Int8", "UInt16",
                "UInt", "UInt8", "UInt32", "UInt64", "TimeInterval", "CGFloat", "CGPoint", "CGRect", "CGSize",
                "NSRange", "Locale", "TimeZone", "Calendar", "DateComponents", "IndexSet", "Character", "Any",
                "Range<Int>", "ClosedRange<Date>", "Calendar.Identifier", "Unicode.Scalar", "AnyHashable",
                "Measurement<UnitLength>", "Foundation.Date", "Swift.Int", "CharacterSet", "DateInterval",
                "PersonNameComponents", "URLComponents", "AttributedString", "Notification",
            ].flatMap { [$0, $0 + "?"] }))
                @NSManaged var object: AnyObject
                @NSManaged var optionalObject: AnyObject?
                @NSManaged var forced: String!
                @NSManaged var a, b: Int, c: String
            }
            """
        ])

    private static let relationships = Declarations(
        title: "relationships and collections",
        files: [
            "Person.swift": """
            import CoreData
            public class Person: NSManagedObject {
            \(properties([
                "Person", "Person?", "Set<Person>", "Set<Person>?", "[Person]", "[Person]?", "[String]", "[String]?",
                "[[String]]", "[String: Int]", "[String: [Person]]", "[Int: Person?]", "[Person?]", "Set<String>",
                "Dictionary<String, Any>", "Array<Date>", "Optional<Date>", "[Date: [Date]]?", "[UUID]", "[URL: Data]",
                "[NSNumber]", "Set<UUID>?", "[AnyHashable: Any]", "Dictionary<String, Int>.Keys", "Tweet?", "Set<Tweet>",
            ]))
            }
            public class Tweet: NSManagedObject { @NSManaged public var author: Person? }
            """
        ])

    private static let ownTypes = Declarations(
        title: "types of the target",
        files: [
            "Types.swift": """
            import CoreData
            public struct Point: Hashable { public var x = 0 }
            public enum Status: Int16 { case open }
            public class Color: NSObject {}
            public actor Machine {}
            """,
            "Item.swift": """
            import CoreData
            public class Item: NSManagedObject {
            \(properties([
                "Point", "Status", "Color", "Machine", "[Point]", "[Point: Status]", "Point?", "Set<Point>",
                "Machine?", "[Color?]",
            ]))
            }
            """,
            "Item+More.swift": """
            import CoreData
            extension Item { @NSManaged var status: Status; @NSManaged var point: Point? }
            public extension Item { @NSManaged var color: Color }
            func use(_ item: Item) { (item.status, item.point) = (item.status, item.point) }
            """,
        ])

    private static let nesting = Declarations(
        title: "nested classes and types",
        files: [
            "Nested.swift": """
            import CoreData
            enum Models {
                class Person: NSManagedObject {
                    enum Status: Int { case a }
                    struct Place: Hashable { enum Kind { case x } }
                    @NSManaged var status: Status
                    @NSManaged var place: Place
                    @NSManaged var kind: Place.Kind
                    @NSManaged var other: Models.Person.Status?
                    @NSManaged var friends: Set<Person>
                    @NSManaged var date: Date
                }
            }
            struct Date {}
            extension Models.Person { @NSManaged var later: Status; @NSManaged var deep: Models.Deep }
            extension Models { struct Deep {} }
            func use(_ item: Models.Person) { (item.later, item.deep) = (item.later, item.deep) }
            class Base: NSManagedObject { enum Mode { case m } }
            class Derived: Base { @NSManaged var mode: Mode; @NSManaged var clash: Foundation.Date }
            """
        ])

    private static let privacy = Declarations(
        title: "private and fileprivate properties",
        module: "Model",
        files: [
            "m.swift": """
            import CoreData
            class Mood: NSManagedObject {
                @NSManaged private var name: String
                @NSManaged fileprivate var other: Mood?
                @NSManaged fileprivate(set) var shown: Date
                @NSManaged public private(set) var number: NSNumber?
                func use() -> Any { (name, other as Any) }
            }
            private extension Mood { @NSManaged var hidden: String }
            fileprivate extension Mood { @NSManaged var hidden2: String; @NSManaged func addToX(_ value: Mood) }
            extension Mood { func more() { addToX(self); (hidden, hidden2) = (hidden2, hidden) } }
            """
        ])

    private static let aliases = Declarations(
        title: "type aliases",
        files: [
            "Aliases.swift": """
            import CoreData
            typealias Name = String
            typealias Names = [Name]
            typealias Place = Geo.Point
            enum Geo { struct Point {}; typealias Path = [Point] }
            class Item: NSManagedObject {
                typealias Count = Int32
                @NSManaged var name: Name
                @NSManaged var names: Names?
                @NSManaged var place: Place
                @NSManaged var path: Geo.Path
                @NSManaged var count: Count
                @NSManaged var qualified: Item.Count
            }
            """
        ])

    private static let generics = Declarations(
        title: "generic classes and types",
        files: [
            "Generic.swift": """
            import CoreData
            struct Pair<A, B> { struct Inner {}; struct Deep<C> {} }
            struct Plain { struct Box<T> {} }
            class Box<T>: NSManagedObject {
                @NSManaged var value: T
                @NSManaged var list: [T]?
                @NSManaged var own: Box<T>?
                @NSManaged var name: String
                class Nested<U>: NSManagedObject { @NSManaged var t: T; @NSManaged var u: U }
            }
            class Two<A, B, C>: NSManagedObject { @NSManaged var a: A; @NSManaged var b: B; @NSManaged var c: C }
            class Item: NSManagedObject {
                @NSManaged var pair: Pair<Int, String>
                @NSManaged var inner: Pair<Int, String>.Inner
                @NSManaged var deep: Pair<Int, String>.Deep<Date>?
                @NSManaged var box: Plain.Box<Item>
                @NSManaged var result: Result<Int, Never>
            }
            """
        ])

    private static let methods = Declarations(
        title: "methods",
        files: [
            "Tweet.swift": """
            import CoreData
            class Tweet: NSManagedObject {
                @NSManaged func addToTags(_ value: Tweet)
                @NSManaged func addToTags(_ values: NSSet)
                @NSManaged func removeFromTags(_ values: Set<Tweet>)
                @NSManaged func insertIntoTags(_ value: Tweet, at idx: Int)
                @NSManaged func insertIntoTags(_ values: [Tweet], at indexes: NSIndexSet)
                @NSManaged func removeFromTags(at idx: Int)
                @NSManaged func removeFromTags(at indexes: IndexSet)
                @NSManaged func replaceTags(at idx: Int, with value: Tweet)
                @NSManaged func replaceTags(at indexes: NSIndexSet, with values: [Tweet])
                @NSManaged func addTagsObject(_ value: Tweet)
                @NSManaged func insertObject(_ value: Tweet, inTagsAtIndex index: Int)
                @NSManaged func primitiveName() -> String?
                @NSManaged func setPrimitiveName(_ name: String?)
                @NSManaged func pair(a: Int, b: Int) -> Void
            }
            extension Tweet { @NSManaged public func addToMore(_ values: NSOrderedSet) }
            func use(_ tweet: Tweet, _ set: NSOrderedSet) { tweet.addToMore(set) }
            """
        ])

    private static let words = Declarations(
        title: "repeated words and many substitutions",
        module: "PersonModel",
        files: [
            "Person.swift": """
            import CoreData
            class Person: NSManagedObject {
                @NSManaged var personModel: Person?
                @NSManaged var modelOfPersonModel: PersonModelPerson
                @NSManaged private var personFoundation: FoundationPerson
                @NSManaged var aB: [AB: [AB: AB]]
                @NSManaged var essentials: FoundationEssentials_Person
                @NSManaged var data_Data_DATA: Data
                @NSManaged var x1y2Z3: [NSNumber: NSNumber]
                @NSManaged func addToPersonPersonModel(_ a: Person, person b: PersonModelPerson, model c: [Person])
                @NSManaged func many(_ a: Int, _ b: Int, _ c: Int, d: Int?, e: Int?, f: String, g: String, h: [Int?])
                @NSManaged func mixed(a: Person, b: AB, c: Person, d: AB, e: AB, f: AB, g: [AB], h: [AB])
            }
            struct AB: Hashable {}
            class PersonModelPerson: NSManagedObject {}
            struct FoundationPerson {}
            struct FoundationEssentials_Person {}
            class Words: NSManagedObject {
                @NSManaged func a(oneAaa: Int, twoBbb: Int, threeCcc: Int, fourDdd: Int, fiveEee: Int, sixFff: Int,
                    sevenGgg: Int, eightHhh: Int, nineIii: Int, tenJjj: Int, elevenKkk: Int, twelveLll: Int,
                    thirteenMmm: Int, fourteenNnn: Words, oneBbb: Words, nnnFourteen: Date, again: Data, last: Date,
                    oneAaaTwo: Data, thirteen: Data, zed: Words)
            }
            """
        ])

    private static let names = Declarations(
        title: "names outside ASCII, keywords",
        files: [
            "Names.swift": """
            import CoreData
            class Größe: NSManagedObject {
                @NSManaged var größe: Größe?
                @NSManaged var 名前: String
                @NSManaged var `default`: Int
                @NSManaged var `class`: Größe
                @NSManaged var naïve_Straße: Straße
                @NSManaged var 😀: Bool
            }
            struct Straße {}
            """
        ])

    private static let otherModules = Declarations(
        title: "types and classes of dependencies",
        files: [
            "Item.swift": """
            import CoreData
            import Base
            class Item: Root {
                @NSManaged var status: Status
                @NSManaged var owner: Base.Owner?
                @NSManaged var kind: Owner.Kind
                @NSManaged var name: Label
            }
            extension Owner { @NSManaged var item: Item?; @NSManaged var label: String; enum Added { case a } }
            class Other: NSManagedObject { @NSManaged var added: Owner.Added; @NSManaged var slot: Data.Slot }
            extension Data { struct Slot {} }
            func use(_ owner: Owner) { (owner.item, owner.label) = (owner.item, owner.label) }
            """
        ],
        dependencies: [
            "Base": """
            import CoreData
            open class Root: NSManagedObject {}
            public enum Status: Int { case a }
            public typealias Label = String
            open class Owner: NSManagedObject { public struct Kind {} }
            """
        ])

    private static let protocols = Declarations(
        title: "existential types",
        files: [
            "Item.swift": """
            import CoreData
            protocol Shape {}
            protocol Named: AnyObject {}
            class Item: NSManagedObject {
                @NSManaged var shape: any Shape
                @NSManaged var maybe: (any Shape)?
                @NSManaged var both: any Shape & Named
                @NSManaged var mixed: any Shape & CustomStringConvertible & Equatable & NSCoding
                @NSManaged var coded: NSCoding
                @NSManaged var copied: (NSObject & NSCopying)?
                @NSManaged var list: [any Shape]
                @NSManaged var codable: any Codable
                @NSManaged var hashable: any Hashable & Sendable
                @NSManaged func two(_ a: any Shape, _ b: any Shape, _ c: any Named, _ d: [any Named])
            }
            """
        ])
}
