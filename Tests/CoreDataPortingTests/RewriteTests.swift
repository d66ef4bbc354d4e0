#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

@Suite("Porting sources")
struct RewriteTests {
    @Test(
        "Attributes of the Objective-C runtime are blanked, whatever stands around them",
        arguments: [
            ("@objc(Person) class A {}", "               class A {}"),
            ("@objcMembers public final class A {}", "             public final class A {}"),
            ("class A { @objc  dynamic var x = 1 }", "class A {                var x = 1 }"),
            ("class A { dynamic var x = 1 }", "class A { dynamic var x = 1 }"),
            ("class A { @IBOutlet weak var x: A? }", "class A {           weak var x: A? }"),
            ("class A { @IBAction func f(_ x: Any) {} }", "class A {           func f(_ x: Any) {} }"),
            ("@objc enum E: Int { case a }", "      enum E: Int { case a }"),
            (
                "class Ä { @objc(größe) var g = 1; var h = 2 }",
                "class Ä {                 var g = 1; var h = 2 }"
            ),
            ("class A { @objc(add:\n  to:) func add() {} }", "class A {           \n       func add() {} }"),
            (
                "@available(iOS 13, *) @objc\nfinal class A {}",
                "@available(iOS 13, *)      \nfinal class A {}"
            ),
            ("func f() { @objc class B {} }", "func f() {       class B {} }"),
            ("class A { @nonobjc func f() {} }", "class A { @nonobjc func f() {} }"),
            ("@MainActor @objc(Person) class A {}", "@MainActor                class A {}"),
            ("@objc(Person)\nclass A {}", "             \nclass A {}"),
        ])
    func attributes(source: String, expected: String) throws {
        let port = try port(source)
        #expect(squeezed(port.text) == squeezed(expected))
        #expect(port.refusals.isEmpty)
    }

    @Test("Macros of a class find the name that @objc gave it, in a line of its own")
    func runtimeNames() throws {
        let ported = try #require(
            overlay(["File.swift": "@objc(Person)\n@Model(x: 1)\nfinal class A {}"]).ports.first)
        #expect(ported.text == "@_objcRuntimeName(Person)\n@Model(x: 1)\nfinal class A {}")
    }

    @Test("A protocol that @objc bound to classes stays bound")
    func protocols() throws {
        let source = """
            @objc protocol P {
                func f()
            }
            @objc protocol Q: P {}
            """
        #expect(
            try squeezed(port(source).text)
                == squeezed(
                    """
                          protocol P: AnyObject {
                        func f()
                    }
                          protocol Q: P {}
                    """))
    }

    @Test("Optional requirements and selectors are refused at their place, with a remedy")
    func refusals() throws {
        let port = try port(
            """
            @objc protocol P {
                @objc optional func f()
            }
            let s = #selector(A.changed(_:by:))
            #if canImport(ObjectiveC)
            let t = #selector(A.changed(_:))
            #endif
            """)
        #expect(
            port.refusals.map { "\($0.file ?? ""):\($0.line ?? 0):\($0.column ?? 0)" } == [
                "/src/File.swift:2:11", "/src/File.swift:4:9",
            ])
        #expect(port.refusals[0].message.contains("default in an extension"))
        #expect(port.refusals[1].message.contains("pass a closure"))
    }

    @Test(
        "Selectors of comparisons become ours",
        arguments: [
            "#selector(NSString.localizedStandardCompare(_:))":
                "Selector(\"localizedStandardCompare:\"         )",
            "#selector(NSString.caseInsensitiveCompare)": "Selector(\"caseInsensitiveCompare:\"     )",
            "#selector(\n  NSString.compare(_:)\n)": "Selector(\"compare:\"\n                      \n)",
        ])
    func selectors(source: String, expected: String) throws {
        #expect(
            try squeezed(port("f(\(source), 1)").text)
                == squeezed("f(\(expected), 1)\nimport CoreData\n"))
    }

    @Test("A selector of a method is made behind the last line, where private methods are seen")
    func selectedMethods() throws {
        let port = try port(
            """
            class A {
                func f() { g(#selector(changed(_:)), #selector(self.load), #selector(Other.Inner.end(note:))) }
                private func changed(_ note: Note) {}
            }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    class A {
                        func f() { g(selector1( ), selector2( ), selector3( )) }
                        private func changed(_ note: Note) {}
                    }
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod1() -> Selector { Selector("changed:", A.changed(_:)) } }
                    private func selector1() -> Selector { A.selectedMethod1() }
                    #sourceLocation()
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod2() -> Selector { Selector("load", A.load) } }
                    private func selector2() -> Selector { A.selectedMethod2() }
                    #sourceLocation()
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod3() -> Selector { Selector("endWithNote:", Other.Inner.end(note:)) } }
                    private func selector3() -> Selector { A.selectedMethod3() }
                    #sourceLocation()
                    import CoreData

                    """))
        #expect(port.refusals.isEmpty)
    }

    @Test("A selector of a method of a generic class is made where its parameters are known")
    func selectedMethodsOfGenericClasses() throws {
        let port = try port(
            "class A<T>: NSObject {\n    func f() { g(#selector(changed)) }\n    func changed(_ note: Note) {}\n}"
        )
        #expect(
            port.additions == [
                "#sourceLocation(file: \"/src/File.swift\", line: 2)",
                "extension A { nonisolated fileprivate static func selector1() -> Selector { Selector(\"changed\", A.changed) } }",
                "extension A { nonisolated fileprivate func selector1() -> Selector { Self.selector1() } }",
                "#sourceLocation()",
            ])
    }

    @Test("A selector may name a class with its parameters")
    func selectedMethodsOfSpecializedClasses() throws {
        let port = try port(
            "class A<T>: NSObject {\n    func f() { g(#selector(A<T>.changed(_:)), #selector(B<[Int]>.C.load)) }\n"
                + "    func changed(_ note: Note) {}\n}")
        #expect(port.refusals.isEmpty)
        #expect(
            port.additions.filter { $0.contains("static") } == [
                "extension A { nonisolated fileprivate static func selector1() -> Selector { Selector(\"changed:\", A<T>.changed(_:)) } }",
                "extension A { nonisolated fileprivate static func selector2() -> Selector { Selector(\"load\", B<[Int]>.C.load) } }",
            ])
        #expect(port.portableText.contains("g(A.changedSelector, A.bCLoadSelector)"))
        #expect(port.portableText.contains("return #selector(A<T>.changed(_:))"))
    }

    @Test("What is made for a branch of an unknown condition is compiled under the same")
    func conditions() throws {
        let port = try port(
            """
            import CoreData
            class A {
                #if DEBUG
                func f() { g(#selector(h)) }
                #elseif canImport(UIKit)
                func f() { g(#selector(i)) }
                #else
                func f() { g(#selector(j)) }
                #endif
            }
            """)
        #expect(port.additions.filter { $0.hasPrefix("#if") } == ["#if (DEBUG)", "#if !(DEBUG)"])
        #expect(port.additions.count { $0 == "#endif" } == 2)
        #expect(port.additions.last == "#endif")
        #expect(
            port.additions.contains { $0.contains("A.h") } && port.additions.contains { $0.contains("A.j") })
    }

    @Test(
        "What is no method of a class with at most one parameter is refused",
        arguments: [
            "getter: a.x", "getter: A.x.y", "getter: self", "a.f(_:)", "A.f(_:b:)", "super.f(_:)", "f(_:)",
        ])
    func refusedSelectors(written: String) throws {
        #expect(try port("let s = #selector(\(written))").refusals.count == 1)
    }

    @Test(
        "What an extension overrides is called by an override of its class, where that stands in the same file"
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

    @Test("In an extension of a class that is bound to an actor, an override says what it is bound to")
    func isolatedOverrides() throws {
        func port(_ override: String, of classes: String = "@MainActor class A: NSManagedObject {}")
            -> ModuleOverlay
        {
            overlay(["A.swift": classes, "B.swift": "extension A { \(override) func willSave() {} }"])
        }
        let refusal = try #require(port("override").refusals.first)
        #expect(
            refusal.message.contains("write 'nonisolated override'")
                && refusal.file?.hasSuffix("B.swift") == true)
        let said = port("nonisolated override")
        #expect(said.refusals.isEmpty)
        #expect(said.ports[0].text.contains("{ nonisolated override func willSave() { _0llSave() }"))
        #expect(port("@MainActor override").refusals.isEmpty)
        #expect(port("override", of: "class A: NSManagedObject {}").refusals.isEmpty)
    }

    @Test("Under the same condition, an override is called by its class")
    func conditionalOverrides() throws {
        let port = try port("#if DEBUG\nclass A: B {\n}\nextension A { override func load() {} }\n#endif")
        #expect(port.text.contains("class A: B { override func load() { _oad() }\n}"))
        #expect(port.refusals.isEmpty)
    }

    @Test("A class calls what extensions in other files override, and knows the types of it")
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
        #expect(overlay.refusals.isEmpty && overlay.ports.flatMap(displacedTokens).isEmpty)
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

    @Test("Private members that have names for the framework are told of in their file")
    func privateMembers() throws {
        let source = ParsedSource(
            SourceText(
                path: "/src/A.swift",
                text: """
                    import Foundation
                    @objcMembers class Car: NSManagedObject {
                        @NSManaged var name: String?
                        @objc private var initial: String { "A" }
                        private var other: String { "B" }
                        #if DEBUG
                        private func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                        #endif
                    }
                    private class Hidden: NSManagedObject {
                        @NSManaged var word: String?
                        @objc var length: Int { 1 }
                    }
                    enum Outer {
                        private class Nested: NSManagedObject {
                            @NSManaged var word: String?
                        }
                    }
                    """))
        let library = ModuleLibrary(target: ModuleIndex(name: "App", parsed: [source]))
        let overlay = ModuleOverlay([source], library: library, documents: [])
        let lines = overlay.ports[0].additions
        #expect(lines.first == "import CoreData")
        #expect(lines.contains { $0.contains("enum PrivateMembers_") })
        #expect(
            lines.dropFirst(3).joined(separator: "\n") == """
                    static func register() {
                        registerClasses()
                        ManagedClasses.register(keyPath: \\Hidden.word, name: "word")
                        Car.registerExposedMethods0()
                        Hidden.registerExposedMethods1()
                    }

                    static func registerClasses() {
                        ManagedClasses.register("Hidden", Hidden.self, module: "App")
                    }
                }

                extension Car {
                    nonisolated fileprivate static func registerExposedMethods0() {
                        ExposedMethods.register("initial", of: Car.self) { object, arguments in
                            (object as! Car).initial
                        }
                        #if (DEBUG)
                        ManagedClasses.register(validatorFor: "name", of: Car.self) { object, value in
                            try (object as! Car).validateName(value)
                        }
                        #endif
                    }
                }

                extension Hidden {
                    nonisolated fileprivate static func registerExposedMethods1() {
                        ExposedMethods.register("length", of: Hidden.self) { object, arguments in
                            (object as! Hidden).length
                        }
                    }
                }
                """)
        let output = SourceGenerator(library: library, documents: [], ported: overlay.declarations).generate()
        #expect(output.diagnostics.map(\.line) == [16])
        #expect(output.diagnostics.first?.message.contains("make 'Nested' internal") == true)
        let plain = SourceGenerator(library: library, documents: []).generate().diagnostics
        #expect(Set(plain.map(\.line)) == [7, 11, 16])
    }

    @Test("What only one file sees is asked for by the generated file, and nothing of it written there")
    func privateTables() throws {
        let overlay = overlay([
            "A.swift": "import CoreData\nprivate class Hidden: NSManagedObject { @objc var x: Int { 1 } }"
        ])
        let source = ParsedSource(overlay.ports[0].source)
        let library = ModuleLibrary(target: ModuleIndex(name: "App", parsed: [source]))
        let text = try #require(
            SourceGenerator(library: library, documents: [], ported: overlay.declarations).generate().text)
        #expect(text.contains(".register()\n") && text.contains(".registerClasses()\n"))
        #expect(!text.contains("Hidden"))
        #expect(SourceGenerator(library: library, documents: []).generate().text?.contains("Hidden") == false)
    }

    @Test("A request without a type is for any result, where its class has none of its own")
    func untypedRequests() throws {
        let source = """
            import CoreData
            class Car: NSManagedObject {}
            class Van: Car { class func fetchRequest() -> NSFetchRequest<Van> { .init() } }
            class Bus: Van {}
            @Model class Bike: NSManagedObject {}
            let bike = Bike.fetchRequest()
            let a = Car.fetchRequest(), b: NSFetchRequest<Car> = Car.fetchRequest()
            let c = Van.fetchRequest(), d = Bus.fetchRequest(), e = Truck.fetchRequest(), f = g(Car.fetchRequest())
            """
        let port = try port(source)
        #expect(port.rewrites.count == 1)
        #expect(port.text.contains("let a = Car.requestOfAny(), b"))
        #expect(
            port.portableText.contains("let a: NSFetchRequest<NSFetchRequestResult> = Car.fetchRequest(), b"))
        let general = "\nextension Managed { static func fetchRequest() -> NSFetchRequest<Self> { .init() } }"
        #expect(try CoreDataPortingTests.port(source + general).isNeeded == false)
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Car", codeGeneration: .category)
        ])
        #expect(try CoreDataPortingTests.port(source, documents: [document]).isNeeded == false)
    }

    @Test("A class in one line has its overrides before its members")
    func overridesOfLines() throws {
        let overlay = overlay([
            "File.swift": "class A: B { var x = 1 }; extension A { override func load() {} }"
        ])
        #expect(
            overlay.ports[0].text.hasPrefix("class A: B { override func load() { _oad() }; var x = 1 }"))
    }

    @Test("A file gets no import for types that it knows")
    func overridesOfKnownTypes() {
        let overlay = overlay([
            "A.swift": "import CoreData\nclass A: NSManagedObject {}; struct Part {}",
            "B.swift":
                "import Kit\nextension A { override func join(_ p: Part, _ d: Date, _ c: NSManagedObject) {} }",
        ])
        #expect(overlay.ports[0].additions.isEmpty)
    }

    @Test("A managed property that overrides is read and written through its class")
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

    @Test("A class that is generated gets what extensions override")
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
        #expect(problems.count == 2 && problems[0].message.contains("Category/Extension"))
    }

    @Test("A selector of an accessor is the name of its property, which is checked")
    func accessorSelectors() throws {
        let port = try port(
            """
            import CoreData
            class A: NSManagedObject {
                @NSManaged var name: String?
                @objc(isBig) var big: Bool { true }
                let own = #selector(getter: self.name)
            }
            let a = [#selector(getter: A.big), #selector(setter: A.name), #selector(getter: Operation.isReady)]
            """)
        #expect(port.refusals.isEmpty)
        #expect(
            squeezed(port.text).contains("let own = Selector(\"name\" )")
                && squeezed(port.text).contains(
                    "[Selector(\"isBig\" ), Selector(\"setName:\" ), Selector(\"isReady\" )]")
        )
        #expect(port.additions.contains { $0.hasSuffix(" Operation) {") })
        #expect(port.additions.contains { $0.hasSuffix(" .isReady }") })
    }

    @Test("Names that Foundation lacks here lose its qualifier, others keep it")
    func qualifiers() throws {
        let port = try port(
            """
            import Foundation
            class T: Foundation.ValueTransformer { var d: Foundation.Date?; let u = Foundation.UndoManager() }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    import Foundation
                    class T:            ValueTransformer { var d: Foundation.Date?; let u =            UndoManager() }
                    """))
    }

    @Test("A module that re-exports Foundation is replaced by it, unless the package has one of that name")
    func imports() throws {
        #expect(
            try squeezed(port("import UIKit // views\nimport Other\n").text)
                == squeezed("import Foundation // views\nimport Other\n"))
        #expect(
            try squeezed(port("import UIKit; import Other").text) == squeezed("import UIKit; import Other"))
        #expect(try port("import struct UIKit.UIColor").isNeeded == false)
        #expect(try port("#if canImport(UIKit)\nimport UIKit\n#endif").isNeeded == false)
        let shimmed = overlay(["A.swift": "import UIKit"], dependencies: ["UIKit": ""])
        #expect(shimmed.ports.allSatisfy { !$0.isNeeded })
    }

    @Test("Resources of a bundle are found as URLs")
    func resources() throws {
        let call = "import CoreData\nlet x = a?.urls(forResourcesWithExtension: b, subdirectory: nil)"
        #expect(try port(call).text.contains("a?.URLs(forRes"))
        #expect(try port("import CoreData\nlet x = a.urls(for: b, in: c)").isNeeded == false)
    }

    @Test("The import of a header is one of its module")
    func headers() throws {
        #expect(
            try squeezed(port("import CoreData.CoreDataDefines\nimport os.lock // locks").text)
                == squeezed("import CoreData \nimport os      // locks"))
        #expect(try port("import struct Foundation.Date\nimport Other.Part").isNeeded == false)
    }

    @Test(
        "A cast between fetch requests becomes a call, and what stands around it stays",
        arguments: [
            "let r = request as! NSFetchRequest<P>; f()": "let r = request .retyped(to: P.self ); f()",
            "f(make(1) as? CoreData.NSFetchRequest<A.B> ?? r)": "f(make(1) .retyped(as: A.B.self ) ?? r)",
            "let r = try x\n  as! NSFetchRequest<any P>": "let r = try x\n .retyped(to:(any P).self)",
            "let r = x as! [NSFetchRequest<P>]": "let r = x as! [NSFetchRequest<P>]",
            "let r = x as NSFetchRequest<P>": "let r = x as NSFetchRequest<P>",
        ])
    func casts(source: String, expected: String) throws {
        let port = try port("import CoreData\n" + source)
        #expect(squeezed(port.text) == squeezed("import CoreData\n" + expected))
        #expect(port.refusals.isEmpty)
    }

    @Test("A class's own request has its type without a cast, which is no reason to port a source")
    func castsOfOwnRequests() throws {
        let source =
            "import CoreData\nclass P: NSManagedObject {}\nlet r = P.fetchRequest() as! NSFetchRequest<P>"
        let kept = try port(source)
        #expect(squeezed(kept.text) == squeezed(source.replacing(" as! NSFetchRequest<P>", with: "")))
        #expect(kept.warnings.isEmpty && kept.source.unportedUse(besides: []) == nil)
        #expect(try port(source.replacing("<P>", with: "<Q>")).warnings.count == 1)
        let generic =
            "import CoreData\nclass R<M: NSManagedObject> { let r = M.fetchRequest() as! NSFetchRequest<M> }"
        #expect(try port(generic).warnings.isEmpty)
        #expect(try port(generic.replacing("R<M:", with: "R<N:")).warnings.count == 1)
    }

    @Test("Of two casts in a row only the last is known to be one of requests, and the first is refused")
    func castChains() throws {
        let port = try port("let r = x as Any as! NSFetchRequest<P>")
        #expect(port.refusals.map(\.column) == [18])
    }

    @Test("A source that leans on an umbrella header imports the framework behind its last line")
    func umbrella() throws {
        #expect(try squeezed(port("let x = NSSet()").text) == squeezed("let x = NSSet()\nimport CoreData\n"))
        #expect(try port("let x: Date? = nil").missingImport?.offset == 0)
        #expect(try port("let x = 1").isNeeded == false)
        #expect(
            try port("import Foundation\nlet x = NSFetchIndexDescription()").missingImport?.offset == 0)
        #expect(try port("import CoreData\nlet x = NSFetchIndexDescription()").isNeeded == false)
        #expect(try port("import Foundation\nlet x = NSSet()").isNeeded == false)
    }

    @Test("A source that leans on what modules of its package re-export imports the framework, too")
    func reexports() throws {
        func ports(_ source: String, kit: String = "") -> FilePort {
            overlay(["A.swift": source], dependencies: ["Kit": kit]).ports[0]
        }
        #expect(ports("import Kit\nlet x = Bundle.main").text.hasSuffix("\nimport CoreData\n"))
        #expect(ports("import Kit\nlet x = Bundle.main").missingImport?.offset == 0)
        #expect(!ports("import Kit\nlet x = Bundle.main", kit: "public class Bundle {}").isNeeded)
        #expect(!ports("import Kit\nclass Bundle {}\nlet x = Bundle()").isNeeded)
        #expect(!ports("import Kit\nlet x = 1").isNeeded)
        #expect(!ports("import Other\nlet x = Bundle.main").isNeeded)
    }

    @Test(
        "An import is as public as what the file shows of the framework, where its imports say who sees them",
        arguments: [
            ("public func f(_ e: NSExpression) {}", "public import CoreData"),
            ("public struct S { public var p: NSComparisonPredicate { make() } }", "public import CoreData"),
            ("public protocol P { func f() -> NSCompoundPredicate }", "public import CoreData"),
            ("public final class T: ValueTransformer {}", "public import CoreData"),
            ("public struct S { private(set) public var e: NSExpression }", "public import CoreData"),
            ("public func f() { _ = NSPredicate(format: \"a == 1\") }", "import CoreData"),
            ("public struct S { var e: NSExpression?; func f(_ e: NSExpression) {} }", "import CoreData"),
            ("public let isEmpty: Bool = NSPredicate(value: true).evaluate(with: nil)", "import CoreData"),
        ])
    func publicImports(declaration: String, expected: String) throws {
        #expect(try port("public import Foundation\n" + declaration).missingImport?.text == expected)
        #expect(try port("import Foundation\n" + declaration).missingImport == nil)
    }

    @Test("A requirement that a delegate may leave out is called, and has a default")
    func optionalCalls() throws {
        let source = """
            import CoreData
            delegate?.controllerDidChangeContent?(controller)
            delegate?.controller?(controller, didChange: x, at: nil, for: .insert, newIndexPath: p)
            delegate?.load?(controller)
            """
        let port = try port(source)
        #expect(
            squeezed(port.text)
                == squeezed(
                    source.replacing("Content?(", with: "Content (").replacing("r?(c", with: "r (c")))
        #expect(port.rewrites.map(\.kind) == [.optionalCall, .optionalCall])
        #expect(port.inPlaceRefusals.map(\.line) == [2, 3] && port.refusals.isEmpty)
        #expect(port.portableText == source)
    }

    @Test("The bundle of a class is the one with the resources of its module")
    func bundles() throws {
        let source =
            "import CoreData\nlet b = Bundle(for: type(of: self)), c = Bundle(path: p), d = f(for: x)"
        #expect(try port(source).text == source.replacing("Bundle(for:", with: "Bundle(of :"))
        #expect(try port(source).portableText == source)
    }

    @Test("An @NSManaged property becomes a computed one where its line ends, and stays as it is elsewhere")
    func managedProperties() throws {
        let port = try port(
            """
            import CoreData
            class A: NSManagedObject {
                @NSManaged public private(set) var name: String? // its name
                @NSManaged var a: Int; @NSManaged var b: Int
                @NSManaged var c, d: Int
                @NSManaged var pair: (Int, Int)
                @objc @NSManaged dynamic var `default`: Int
                @NSManaged private var primitiveName: String
            }
            """)
        func body(_ name: String, _ kind: String = "") -> String {
            "{ get { ManagedAccess.read\(kind)(self, A_properties.\(name)) } "
                + "set { ManagedAccess.write\(kind)(self, A_properties.\(name), newValue) } }"
        }
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    import CoreData
                    class A: NSManagedObject {
                                   public private(set) var name: String? \(body("name")) // its name
                        @NSManaged var a: Int;            var b: Int \(body("b"))
                        @NSManaged var c, d: Int
                        @NSManaged var pair: (Int, Int)
                                                 var `default`: Int \(body("`default`"))
                                   private var primitiveName: String \(body("primitiveName", "Primitive"))
                    }
                    """))
        #expect(port.computedProperties.map(\.line).sorted() == [3, 4, 7, 8])
    }

    @Test("A source without such constructs is left alone")
    func nothing() throws {
        #expect(
            try port("import CoreData\nfinal class A: NSManagedObject { var x = \"#keyPath(A.x) @objc\" }")
                .isNeeded == false)
    }
}
#endif
