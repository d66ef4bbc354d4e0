#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

@Suite("Overrides in extensions")
struct OverrideTransferTests {
    @Test(
        "An override in an extension of the same file is called by an override in the class"
    )
    func overrides() throws {
        let port = try port(
            """
            public class A: B {
                var x = 1
            }
            public extension A {
                /// Sets it up.
                @objc override func awake() { super.awake() }
                override public class func entity(_ a: Int, at b: inout String) throws
                    -> [String: Int] { [:] }
                override var description: String { "" }
                @MainActor override var isDeleted: Bool { get { true } set {} }
            }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    public class A: B { public override func awake() { _wake() }; \
                    override public class func entity(_ a: Int, at b: inout String) throws -> [String: Int] \
                    { try _ntity(a, at: &b) }; public override var description: String { _escription }; \
                    @MainActor public override var isDeleted: Bool \
                    { get { _sDeleted } set { _sDeleted = newValue } }
                        var x = 1
                    }
                    public extension A {
                        /// Sets it up.
                        private func _wake() { super.awake() }
                        private class func _ntity(_ a: Int, at b: inout String) throws
                            -> [String: Int] { [:] }
                        private var _escription: String { "" }
                        @MainActor private var _sDeleted: Bool { get { true } set {} }
                    }
                    """))
        #expect(port.refusals.isEmpty)
    }

    @Test(
        "An override that cannot be moved is refused",
        arguments: [
            "extension A { override func f() {} }",
            "class A {}; extension A { override var x: Int { get { 1 } _modify { } } }",
            "class A {}; extension A { override var xy: Int { get throws { 1 } } }",
            "class A {}; extension A { override public private(set) var xy: Int { get { 1 } set {} } }",
            "class A {}; extension A { override func f(_ x: Int...) {} }",
            "class A {}\n#if DEBUG\nextension A { override func f1() {} }\n#endif",
            "#if DEBUG\nclass A {}\n#endif\nextension A { override func f1() {} }",
        ])
    func refusedOverrides(source: String) throws {
        #expect(overlay(["File.swift": source]).refusals.count == 1)
    }

    @Test("An override in an extension of a class isolated to an actor must state its isolation")
    func isolatedOverrides() throws {
        func port(_ override: String, of classes: String = "@MainActor class A: NSManagedObject {}")
            -> ModuleOverlay
        {
            overlay(["A.swift": classes, "B.swift": "extension A { \(override) func willSave() {} }"])
        }
        let refusal = try #require(port("override").refusals.first)
        #expect(refusal.message.contains("write 'nonisolated override'"))
        #expect(refusal.file?.hasSuffix("B.swift") == true)
        let said = port("nonisolated override")
        #expect(said.refusals.isEmpty)
        #expect(said.ports[0].text.contains("{ nonisolated override func willSave() { _0llSave() }"))
        #expect(port("@MainActor override").refusals.isEmpty)
        #expect(port("override", of: "class A: NSManagedObject {}").refusals.isEmpty)
    }

    @Test("A class calls an override that is under the same #if condition")
    func conditionalOverrides() throws {
        let port = try port("#if DEBUG\nclass A: B {\n}\nextension A { override func load() {} }\n#endif")
        #expect(port.text.contains("class A: B { override func load() { _oad() }\n}"))
        #expect(port.refusals.isEmpty)
    }

    @Test("A class calls overrides of extensions in other files, with their types")
    func overridesElsewhere() throws {
        let overlay = overlay([
            "A.swift":
                "import CoreData\npublic class A: NSManagedObject {\n    var x = 1\n}\nclass B: A {\n}",
            "B.swift": """
            @testable import Kit
            import CoreData
            public extension A {
                @objc override func awakeFromInsert() { super.awakeFromInsert() }
                override public func join(_ part: Part, on date: Date) -> Part? { nil }
            }
            extension B { override func awakeFromInsert() {} }
            """,
        ])
        #expect(overlay.refusals.isEmpty)
        #expect(overlay.ports.flatMap(displacedTokens).isEmpty)
        #expect(
            squeezed(overlay.ports[0].text)
                == squeezed(
                    """
                    import CoreData
                    public class A: NSManagedObject { public override func awakeFromInsert() { _0akeFromInsert() }; \
                    override public func join(_ part: Part, on date: Date) -> Part? { _0in(part, on: date) }
                        var x = 1
                    }
                    class B: A { override func awakeFromInsert() { _1akeFromInsert() }
                    }
                    @testable import Kit

                    """))
        #expect(
            squeezed(overlay.ports[1].text)
                == squeezed(
                    """
                    @testable import Kit
                    import CoreData
                    public extension A {
                        internal func _0akeFromInsert() { super.awakeFromInsert() }
                        internal func _0in(_ part: Part, on date: Date) -> Part? { nil }
                    }
                    extension B { internal func _1akeFromInsert() {} }
                    """))
    }

    @Test("In a class on one line, overrides are written before its members")
    func overridesOfLines() throws {
        let overlay = overlay([
            "File.swift": "class A: B { var x = 1 }; extension A { override func load() {} }"
        ])
        #expect(
            overlay.ports[0].text.hasPrefix("class A: B { override func load() { _oad() }; var x = 1 }"))
    }

    @Test("A file in which a type is already visible gets no import for it")
    func overridesOfKnownTypes() {
        let overlay = overlay([
            "A.swift": "import CoreData\nclass A: NSManagedObject {}; struct Part {}",
            "B.swift":
                "import Kit\nextension A { override func join(_ p: Part, _ d: Date, _ c: NSManagedObject) {} }",
        ])
        #expect(overlay.ports[0].additions.isEmpty)
    }

    @Test("An override that is a managed property is read and written through its class")
    func managedOverrides() throws {
        let port = try port(
            """
            import CoreData
            public class Note: NSManagedObject {
            }
            extension Note {
                @NSManaged public override var isDeleted: Bool
            }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    import CoreData
                    public class Note: NSManagedObject { public override var isDeleted: Bool \
                    { get { _sDeleted } set { _sDeleted = newValue } }
                    }
                    extension Note {
                        private var _sDeleted: Bool \
                    { get { ManagedAccess.read(self, Note_properties.isDeleted) } \
                    set { ManagedAccess.write(self, Note_properties.isDeleted, newValue) } }
                    }
                    """))
    }

    @Test("A generated class declares the overrides that extensions contain")
    func overridesOfGenerated() throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Car", codeGeneration: .class)
        ])
        let source = ParsedSource(
            SourceText(
                path: "/src/A.swift",
                text: """
                    import Kit
                    extension Car { public override func awakeFromInsert() {} }
                    #if DEBUG
                    extension Car { public override func willSave() {} }
                    #endif
                    """))
        let library = ModuleLibrary(target: ModuleIndex(name: "App", parsed: [source]))
        let overlay = ModuleOverlay([source], library: library, documents: [document])
        #expect(overlay.refusals.isEmpty)
        #expect(
            squeezed(overlay.ports[0].text).contains(
                "extension Car { internal func _0akeFromInsert() {} }"))
        let text = try #require(
            SourceGenerator(library: library, documents: [document], ported: overlay.declarations).generate()
                .text)
        #expect(text.contains("import Kit\n"))
        #expect(
            text.contains(
                """
                    public override func awakeFromInsert() { _0akeFromInsert() }
                    #if (DEBUG)
                    public override func willSave() { _0llSave() }
                    #endif
                """))
        let problems = ModulePort([source], library: library, documents: [document]).problems
        try #require(problems.count == 2)
        #expect(problems[0].message.contains("Category/Extension"))
    }
}
#endif
