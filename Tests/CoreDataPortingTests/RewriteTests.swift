#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

@Suite("Porting sources")
struct RewriteTests {
    @Test(
        "Attributes of the Objective-C runtime are blanked in every position",
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

    @Test("Macros of a class find the name that @objc gives it, in an attribute on the same line")
    func runtimeNames() throws {
        let ported = try #require(
            overlay(["File.swift": "@objc(Person)\n@Model(x: 1)\nfinal class A {}"]).ports.first)
        #expect(ported.text == "@_objcRuntimeName(Person)\n@Model(x: 1)\nfinal class A {}")
    }

    @Test("A protocol that @objc restricts to classes stays restricted to them")
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

    @Test("Optional requirements and selectors are refused with their position and a remedy")
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

    @Test("An untyped request of a class without its own request is for NSFetchRequestResult")
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

    @Test("Names that Foundation lacks on Linux lose their module qualifier, others keep it")
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

    @Test("A module that re-exports Foundation becomes Foundation, unless the package has it")
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

    @Test("An imported header becomes an import of its module")
    func headers() throws {
        #expect(
            try squeezed(port("import CoreData.CoreDataDefines\nimport os.lock // locks").text)
                == squeezed("import CoreData \nimport os      // locks"))
        #expect(try port("import struct Foundation.Date\nimport Other.Part").isNeeded == false)
    }

    @Test(
        "A cast between fetch requests becomes a call, and the code around it stays",
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

    @Test("A class's own request is typed without a cast, and needs no porting")
    func castsOfOwnRequests() throws {
        let source =
            "import CoreData\nclass P: NSManagedObject {}\nlet r = P.fetchRequest() as! NSFetchRequest<P>"
        let kept = try port(source)
        #expect(squeezed(kept.text) == squeezed(source.replacing(" as! NSFetchRequest<P>", with: "")))
        #expect(kept.warnings.isEmpty)
        #expect(kept.source.unportedUse(besides: []) == nil)
        #expect(try port(source.replacing("<P>", with: "<Q>")).warnings.count == 1)
        let generic =
            "import CoreData\nclass R<M: NSManagedObject> { let r = M.fetchRequest() as! NSFetchRequest<M> }"
        #expect(try port(generic).warnings.isEmpty)
        #expect(try port(generic.replacing("R<M:", with: "R<N:")).warnings.count == 1)
    }

    @Test("Of two casts in a row, only the last is rewritten, and the first is refused")
    func castChains() throws {
        let port = try port("let r = x as Any as! NSFetchRequest<P>")
        #expect(port.refusals.map(\.column) == [18])
    }

    @Test("A source that relies on an umbrella header gets an import after its last line")
    func umbrella() throws {
        #expect(try squeezed(port("let x = NSSet()").text) == squeezed("let x = NSSet()\nimport CoreData\n"))
        #expect(try port("let x: Date? = nil").missingImport?.offset == 0)
        #expect(try port("let x = 1").isNeeded == false)
        #expect(
            try port("import Foundation\nlet x = NSFetchIndexDescription()").missingImport?.offset == 0)
        #expect(try port("import CoreData\nlet x = NSFetchIndexDescription()").isNeeded == false)
        #expect(try port("import Foundation\nlet x = NSSet()").isNeeded == false)
    }

    @Test("A source that relies on a re-export of its package's module gets an import, too")
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
        "An added import is public only if public declarations use the framework",
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

    @Test("An optional requirement of a delegate is called, and gets a default")
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
        #expect(port.inPlaceRefusals.map(\.line) == [2, 3])
        #expect(port.refusals.isEmpty)
        #expect(port.portableText == source)
    }

    @Test("Bundle(for:) becomes the bundle with the resources of the class's module")
    func bundles() throws {
        let source =
            "import CoreData\nlet b = Bundle(for: type(of: self)), c = Bundle(path: p), d = f(for: x)"
        #expect(try port(source).text == source.replacing("Bundle(for:", with: "Bundle(of :"))
        #expect(try port(source).portableText == source)
    }

    @Test("An @NSManaged property alone on its line becomes a computed one, others do not")
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

    @Test("A source without anything to port is left alone")
    func nothing() throws {
        #expect(
            try port("import CoreData\nfinal class A: NSManagedObject { var x = \"#keyPath(A.x) @objc\" }")
                .isNeeded == false)
    }
}
#endif
