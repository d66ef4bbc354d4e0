#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

/// One source ported in place, and ported again to see that nothing is left.
private func portable(_ source: String, documents: [ModelDocument] = []) throws -> String {
    func text(of source: String) throws -> String {
        try #require(overlay(["File.swift": source], documents: documents).ports.first).portableText
    }
    let once = try text(of: source)
    #expect(try text(of: once) == once)
    return once
}

@Suite("Porting in place")
struct PortableTextTests {
    @Test(
        "Attributes of the Objective-C runtime are put under #if, on lines of their own",
        arguments: [
            (
                "@objc(Person) // a name\nclass A {}",
                "#if canImport(ObjectiveC)\n@objc(Person) // a name\n#endif\nclass A {}"
            ),
            (
                "@objc(Person)\n@objcMembers\n  public class A {}",
                "#if canImport(ObjectiveC)\n@objc(Person)\n@objcMembers\n#endif\n  public class A {}"
            ),
            (
                "class A {\n    @objc dynamic var x = 1 // x\n}",
                "class A {\n    #if canImport(ObjectiveC)\n    @objc\n    #endif\n    dynamic var x = 1 // x\n}"
            ),
            (
                "import CoreData\nclass A {\n\t@NSManaged  @objc\tvar x: Int\n}",
                "import CoreData\nclass A {\n\t@NSManaged\n\t#if canImport(ObjectiveC)\n\t@objc\n\t#endif\n\tvar x: Int\n}"
            ),
            (
                "class A { var x: Bool { @objc(isX) get { true } } }",
                "class A { var x: Bool {\n#if canImport(ObjectiveC)\n@objc(isX)\n#endif\nget { true } } }"
            ),
            ("class A { @nonobjc func f() {} }", "class A { @nonobjc func f() {} }"),
            (
                "@objc class A {}\r\nlet x = 1\r\n",
                "#if canImport(ObjectiveC)\r\n@objc\r\n#endif\r\nclass A {}\r\nlet x = 1\r\n"
            ),
        ])
    func attributes(source: String, expected: String) throws {
        #expect(try portable(source) == expected)
    }

    @Test("A protocol that @objc restricts to classes gets an explicit AnyObject")
    func protocols() throws {
        #expect(
            try portable("@objc\nprotocol P {}") == """
                #if canImport(ObjectiveC)
                @objc
                #endif
                protocol P: AnyObject {}
                """)
    }

    @Test("A key path becomes a string with a Swift key path beside it that the compiler checks")
    func keyPaths() throws {
        let source = """
            import CoreData
            class Person: NSManagedObject {
                @NSManaged var name: String
                @NSManaged var friends: NSSet?
                @NSManaged var `in`: Person?
                @objc(isGrown) var grown: Bool { true }
                var key: String { #keyPath(name) }
            }
            let a = #keyPath(Person.in.friends.name), b = #keyPath(Person.grown), c = #keyPath(Operation.isReady)
            """
        let document = ModelDocument(entities: [
            EntityElement(
                name: "Person", className: "Person", codeGeneration: .category,
                relationships: [
                    RelationshipElement(name: "friends", destinationName: "Person", maximumCount: 0)
                ])
        ])
        let text = try portable(source, documents: [document])
        #expect(text.contains("{ (\\Person.name, \"name\").1 }"))
        #expect(
            text.contains(
                "let a = (\\Person.`in`, \\Person.friends, \\Person.name, \"in.friends.name\").3, b = (\\Person.grown, "
                    + "\"isGrown\").1, c = (\\Operation.isReady, \"isReady\").1"))
    }

    @Test("A method's selector becomes a property that works with and without Objective-C")
    func selectors() throws {
        let text = try portable(
            """
            import CoreData
            class A {
                func f() { g(#selector(changed(_:)), #selector(self.changed(_:)), #selector(Other.end(note:))) }
                private func changed(_ note: Note) {}
            }
            let s = #selector(A.load), c = #selector(NSString.localizedStandardCompare(_:))

            """)
        #expect(
            text == """
                import CoreData
                class A {
                    func f() { g(A.changedSelector, A.changedSelector, A.otherEndWithNoteSelector) }
                    private func changed(_ note: Note) {}
                }
                let s = aLoadSelector, c = Selector(("localizedStandardCompare:"))

                extension A {
                    nonisolated fileprivate static var changedSelector: Selector {
                        #if canImport(ObjectiveC)
                        return #selector(A.changed(_:))
                        #else
                        return Selector("changed:", A.changed(_:))
                        #endif
                    }
                }

                extension A {
                    nonisolated fileprivate static var otherEndWithNoteSelector: Selector {
                        #if canImport(ObjectiveC)
                        return #selector(Other.end(note:))
                        #else
                        return Selector("endWithNote:", Other.end(note:))
                        #endif
                    }
                }

                private var aLoadSelector: Selector {
                    #if canImport(ObjectiveC)
                    return #selector(A.load)
                    #else
                    return Selector("load", A.load)
                    #endif
                }

                """)
    }

    @Test(
        "An override in an extension moves to the end of its class with its ported comments"
    )
    func overrides() throws {
        let text = try portable(
            """
            import CoreData
            public extension A {
               \u{20}
                // Said before.

                /// Called once.
                override func awakeFromInsert() { // now
                    set(#keyPath(A.x))
                }

                func other() {}
                internal override var isBig: Bool { true }
            }
            public class A: B {
                @objc var x = 1
            }
            class C: B {}
            extension C { override func f() {} }
            """)
        #expect(
            text == """
                import CoreData
                public extension A {

                    func other() {}
                }
                public class A: B {
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    var x = 1

                    // Said before.

                    /// Called once.
                    public override func awakeFromInsert() { // now
                        set((\\A.x, "x").1)
                    }

                    internal override var isBig: Bool { true }
                }
                class C: B {
                    override func f() {} 
                }
                extension C { }
                """)
    }

    @Test("An override moves to the file of its class if every name in it is visible there")
    func overridesElsewhere() throws {
        let overlay = overlay([
            "A.swift": "import CoreData\r\nclass A: B {\r\n    var x = 1\r\n}\r\n",
            "B.swift": """
            import Kit
            private let secret = 1
            extension A {
                // Said before.
                override func load() {
                    use(#keyPath(x))
                }
                override func hide() { use(secret) }
                override func watch() { use(#selector(load)) }
            }
            """,
            "C.swift":
                "import CoreData\nextension A {\n    override func first() {\n        use(#keyPath(x))\n    }\n}",
        ])
        #expect(overlay.refusals.isEmpty)
        #expect(
            overlay.ports[0].portableText
                == "import CoreData\r\nclass A: B {\r\n    var x = 1\r\n\r\n    override func first() {\r\n"
                + "        use((\\A.x, \"x\").1)\r\n    }\r\n}\r\n")
        #expect(overlay.ports[2].portableText == "import CoreData\nextension A {\n}")
        let refused = overlay.ports[1].inPlaceRefusals
        #expect(refused.map(\.line) == [5, 8, 9])
        #expect(refused[0].message.contains("does not import 'Kit'"))
        #expect(refused[1].message.contains("does not see 'secret'"))
        #expect(refused[2].message.contains("have the selector"))
    }

    @Test("A getter's selector becomes a key path that the compiler checks")
    func getters() throws {
        let text = try portable(
            "import CoreData\nclass A: NSManagedObject { @NSManaged var x: Int }\n"
                + "let a = #selector(getter: A.x), b = #selector(setter: A.x)")
        #expect(text.hasSuffix("let a = Selector((\\A.x, \"x\").1), b = Selector((\"setX:\"))"))
    }

    @Test(
        "An import from a prefix header is written into each file",
        arguments: [
            (
                "// A file.\n\n/// A.\nclass A: NSManagedObject {}",
                "// A file.\n\nimport CoreData\n\n/// A.\nclass A: NSManagedObject {}"
            ),
            ("/// A.\nclass A: NSManagedObject {}", "import CoreData\n\n/// A.\nclass A: NSManagedObject {}"),
            (
                "// A.\nimport Foundation\nclass A: NSManagedObject {}",
                "// A.\nimport CoreData\nimport Foundation\nclass A: NSManagedObject {}"
            ),
            (
                "public import UIKit // all\nlet a = Foundation.ValueTransformer()",
                "import CoreData\n#if canImport(UIKit)\npublic import UIKit\n#else\npublic import Foundation\n#endif // all\n"
                    + "let a = ValueTransformer()"
            ),
        ])
    func imports(source: String, expected: String) throws {
        #expect(try portable(source) == expected)
    }

    @Test("Code that cannot be ported is reported, and the rest is ported")
    func problems() throws {
        let source = ParsedSource(
            SourceText(
                path: "/src/A.swift",
                text:
                    "import CoreData\n@objc class A: NSManagedObject { @NSManaged var x: (Int, Int) }\nlet r = a as! NSFetchRequest<A>\nlet s = #selector(A.f(_:b:))"
            ))
        let library = ModuleLibrary(target: ModuleIndex(name: "App", parsed: [source]))
        let port = ModulePort([source], library: library, documents: [])
        #expect(port.changes.map(\.path) == ["/src/A.swift"])
        #expect(
            port.changes.first?.after.contains("#if canImport(ObjectiveC)\n@objc\n#endif\nclass A") == true)
        #expect(port.changes.first?.after.hasSuffix("let s = #selector(A.f(_:b:))") == true)
        #expect(port.problems.map(\.line).sorted { ($0 ?? 0) < ($1 ?? 0) } == [2, 3, 4])
    }

    @Test("A class keeps its Objective-C name, even under a condition")
    func runtimeNames() throws {
        let source = """
            #if canImport(ObjectiveC)
            @objc(CLSPerson)
            #endif
            class Person: NSManagedObject {
                #if canImport(ObjectiveC)
                @objc(addFriendsObject:)
                #endif
                @NSManaged func addFriend(_ friend: Person)
            }
            """
        let index = try ModuleIndex(name: "App", sources: [SourceText(path: "A.swift", text: source)])
        #expect(index.files[0].types.map(\.runtimeName) == ["CLSPerson"])
        #expect(index.files[0].methods.map(\.selector) == ["addFriendsObject:"])
    }
}
#endif
