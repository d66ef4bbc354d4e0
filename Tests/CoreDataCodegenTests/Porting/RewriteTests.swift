import CoreDataCodegen
import CoreDataModelFormat
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
        ])
    func attributes(source: String, expected: String) throws {
        let port = try port(source)
        #expect(squeezed(port.text) == squeezed(expected))
        #expect(port.refusals.isEmpty)
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
            let s = #selector(A.changed(_:))
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
        #expect(try squeezed(port("f(\(source), 1)").text) == squeezed("f(\(expected), 1)"))
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

    @Test("A source that leans on an umbrella header imports the framework behind its last line")
    func umbrella() throws {
        #expect(try squeezed(port("let x = NSSet()").text) == squeezed("let x = NSSet()\nimport CoreData\n"))
        #expect(try port("let x = 1").isNeeded == false)
        #expect(try port("import Foundation\nlet x = NSSet()").isNeeded == false)
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

    @Test("Without the overlay, the first place that needs it says so, once")
    func missing() throws {
        let overlay = overlay(["A.swift": "class A {}", "B.swift": "\n@objc class B {}\n@objc class C {}"])
        let missing = try #require(overlay.missing(module: "App"))
        #expect(missing.file == "/src/B.swift")
        #expect(missing.line == 2)
        #expect(missing.message.contains("CoreDataOverlay/App.yaml"))
        let fine = CoreDataCodegenTests.overlay(["A.swift": "class A { @NSManaged var x: Int }"])
        #expect(fine.missing(module: "App") == nil)
    }
}
