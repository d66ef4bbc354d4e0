import CoreDataCodegen
import Testing

@Suite("Scanning hand-written sources")
struct ScannerTests {
    private func scan(_ source: String) throws -> ScannedFile {
        try DeclarationReader.read(SourceText(path: "/src/File.swift", text: source))
    }

    @Test("A property comes with its class, type, access and position")
    func property() throws {
        let file = try scan(
            """
            class Person: NSManagedObject {
                @NSManaged public private(set) var name: String?
            }
            """)
        let property = try #require(file.properties.first)
        #expect(property.name == "name")
        #expect(property.type == .optional(.name("String")))
        #expect(property.context.ownerPath == ["Person"])
        #expect(property.context.access == .public)
        #expect(property.context.position == SourcePosition(file: "/src/File.swift", line: 2, column: 40))
    }

    @Test("Variables with one type annotation have the same type")
    func groups() throws {
        let file = try scan("class A: NSManagedObject { @NSManaged var a, b: Int, c: String }")
        #expect(file.properties.map(\.name) == ["a", "b", "c"])
        #expect(file.properties.map(\.type) == [.name("Int"), .name("Int"), .name("String")])
    }

    @Test("Members have the access level of their extension; in a private one they are fileprivate")
    func extensionAccess() throws {
        let file = try scan(
            """
            public extension A { @NSManaged var a: Int }
            private extension A { @NSManaged var b: Int; @NSManaged internal var c: Int }
            extension Outer.A { @NSManaged var d: Int }
            """)
        #expect(file.properties.map(\.context.access) == [.public, .fileprivate, .internal, .internal])
        #expect(file.properties.last?.context.ownerPath == ["Outer", "A"])
    }

    @Test("Properties without @NSManaged and local declarations are left alone")
    func others() throws {
        let file = try scan(
            """
            class A: NSManagedObject {
                var plain: Int = 0
                func f() { class Local: NSManagedObject { @NSManaged var x: Int } }
                var computed: Int { struct Inner {}; return 1 }
            }
            """)
        #expect(file.properties.isEmpty)
        #expect(file.types.map(\.path) == [["A"]])
    }

    @Test("Branches for other platforms are dropped, and unknown conditions are kept")
    func conditions() throws {
        let file = try scan(
            """
            #if canImport(UIKit)
            import UIKit
            #elseif os(Linux) && DEBUG
            import Glibc
            #else
            import Elsewhere
            #endif
            class A: NSManagedObject {
                #if os(iOS) || os(macOS)
                @NSManaged var phone: UIColor
                #elseif FANCY
                @NSManaged var fancy: Int
                #else
                @NSManaged var plain: Int
                #endif
                #if !os(Linux)
                @NSManaged var never: Int
                #endif
            }
            """)
        #expect(file.imports.map(\.module) == ["Glibc", "Elsewhere"])
        #expect(file.imports.map(\.conditions) == [["(os(Linux) && DEBUG)"], ["!(os(Linux) && DEBUG)"]])
        #expect(file.properties.map(\.name) == ["fancy", "plain"])
        #expect(file.properties.map(\.context.conditions) == [["(FANCY)"], ["!(FANCY)"]])
    }

    @Test(
        "The operation of a to-many method is recognised by the method's name",
        arguments: [
            ("addToTags(_ value: Tag)", ToManyMethod.Operation.add),
            ("addToTags(_ values: NSSet)", .add),
            ("removeFromTags(_ value: Tag)", .remove),
            ("removeFromTags(at idx: Int)", .removeAt),
            ("insertIntoTags(_ value: Tag, at idx: Int)", .insertAt),
            ("insertIntoTags(_ values: [Tag], at indexes: NSIndexSet)", .insertAt),
            ("replaceTags(at idx: Int, with value: Tag)", .replaceAt),
            ("addTagsObject(_ value: Tag)", .add),
            ("removeTagsObject(_ value: Tag)", .remove),
            ("addTags(_ values: NSSet)", .add),
            ("removeTags(_ values: Set<Tag>)", .remove),
            ("insertObject(_ value: Tag, inTagsAtIndex index: Int)", .insertAt),
            ("removeObjectFromTagsAtIndex(_ index: Int)", .removeAt),
            ("insertTags(_ values: [Tag], atIndexes indexes: NSIndexSet)", .insertAt),
            ("replaceObjectInTagsAtIndex(_ index: Int, withObject value: Tag)", .replaceAt),
            ("primitiveTags() -> NSSet", .readPrimitive),
            ("setPrimitiveTags(_ value: NSSet)", .writePrimitive),
        ])
    func methods(signature: String, operation: ToManyMethod.Operation) throws {
        let file = try scan("class A: NSManagedObject { @NSManaged func \(signature) }")
        let method = try #require(file.methods.first)
        let pattern = try #require(ToManyMethod(method))
        #expect(pattern.operation == operation)
        #expect(pattern.capitalizedKey == "Tags")
    }

    @Test(
        "A method whose name follows no pattern has no operation",
        arguments: ["refresh()", "add(_ x: Int)", "doIt(at: Int)"])
    func otherMethods(signature: String) throws {
        let file = try scan("class A: NSManagedObject { @NSManaged func \(signature) }")
        #expect(ToManyMethod(try #require(file.methods.first)) == nil)
    }
}
