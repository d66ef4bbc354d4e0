import CoreDataCodegen
import CoreDataModelFormat
import CoreDataValues
import Foundation
import Testing

@Suite("Generated source")
struct SourceGeneratorTests {
    private func generate(
        _ sources: [String: String], _ documents: [ModelDocument] = [], module: String = "App"
    ) throws -> SourceGenerator.Output {
        let texts = sources.sorted { $0.key < $1.key }.map { SourceText(path: $0.key, text: $0.value) }
        let library = ModuleLibrary(target: try ModuleIndex(name: module, sources: texts))
        return SourceGenerator(library: library, documents: documents).generate()
    }

    // MARK: Reference outputs

    @Test("The output for each fixture is the reference file", arguments: Fixture.all)
    func reference(fixture: Fixture) throws {
        let output = try generate(fixture.sources, [fixture.document])
        #expect(output.diagnostics == [])
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Reference/\(fixture.name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_REFERENCES"] != nil {
            try (output.text ?? "").write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(output.text == (try String(contentsOf: file, encoding: .utf8)))
    }

    @Test("The file of a target without models and managed classes has only imports and aliases")
    func nothingToDo() throws {
        let text = try #require(try generate(["a.swift": "import Foundation\nstruct A {}"]).text)
        #expect(text.contains("public typealias NSExpression = CoreData.NSExpression"))
        #expect(!text.contains("extension"))
        #expect(!text.contains("ManagedModuleTable"))
    }

    @Test("A name that the target itself declares gets no alias")
    func ownNames() throws {
        let text = try #require(try generate(["a.swift": "class ValueTransformer {}"]).text)
        #expect(!text.contains("typealias ValueTransformer "))
        #expect(text.contains("typealias NSValueTransformerName "))
    }

    @Test("A class with the module's name is never qualified by it")
    func moduleNamedClass() throws {
        let source = """
            class Company: NSManagedObject { @NSManaged var staff: Set<Employee> }
            class Employee: NSManagedObject { @NSManaged var company: Company?; enum Kind {}; @NSManaged var k: Kind }
            """
        let text = try #require(try generate(["a.swift": source], module: "Company").text)
        #expect(!text.contains("Company.Employee"))
        #expect(text.contains("-> Employee.Kind"))
    }

    @Test("Value transformers with an initializer without arguments are found by class name")
    func transformers() throws {
        let source = """
            class Base: ValueTransformer {}
            enum Coding { @objc(SealTransformer) final class Seal: Base { override init() {} } }
            final class Closure: ValueTransformer { init(_ f: () -> Void) {} }
            private final class Hidden: Base {}
            final class Secure: NSSecureUnarchiveFromDataTransformer { convenience init(x: Int) { self.init() } }
            final class Other: NSObject {}
            """
        let text = try #require(try generate(["a.swift": source]).text)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.filter { $0.contains("transformer:") } == [
                #"ManagedClasses.register(transformer: "Base", module: "App") { Base() }"#,
                #"ManagedClasses.register(transformer: "Coding.Seal", module: "App") { Coding.Seal() }"#,
                #"ManagedClasses.register(transformer: "SealTransformer", module: "App") { Coding.Seal() }"#,
                #"ManagedClasses.register(transformer: "Secure", module: "App") { Secure() }"#,
            ])
        let own = try #require(
            try generate(["a.swift": "class ValueTransformer {}\nclass A: ValueTransformer {}"]).text)
        #expect(!own.contains("transformer:"))
    }

    @Test("A member marked @objc is called by its selector, and other members are not")
    func exposedMembers() throws {
        let source = """
            import Wheels
            @objc(Event) public class Event: NSManagedObject {
                @NSManaged public var title: String
                @objc var month: String { title }
                @objc(isOpen) public private(set) var open = true
                @objc var guests = 0
                var hidden = 1
                @objc private var secret = 2
                @objc static var shared = 3
                @objc func label(for name: String!, at count: Int) -> String { name }
                @objc func close() {}
                @objc func move(_ list: [String: Any], toPlace place: String?) {}
                @objc func load(_ done: @escaping () -> Void) {}
                @objc func fail() throws {}
            }
            @objc extension Event { var weekday: Int { get { 1 } set {} } }
            enum Splitting { @objc(SplitPolicy) class Policy: Base { @nonobjc func plain() {}; func split() -> Int { 1 } } }
            @objcMembers class Base: NSEntityMigrationPolicy { func whole(named name: String) -> Any? { nil } }
            class Other: NSObject { @objc func tap() {} }
            """
        let text = try #require(try generate(["a.swift": source]).text)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let selectors = lines.filter { $0.hasPrefix("ExposedMethods.") }.compactMap {
            $0.split(separator: "\"").dropFirst().first.map(String.init)
        }
        #expect(
            selectors == [
                "month", "isOpen", "guests", "setGuests:", "labelFor:at:", "close", "move:toPlace:",
                "weekday",
                "setWeekday:", "wholeWithNamed:", "split",
            ])
        for line in [
            "import Wheels", #"ManagedClasses.register(policy: "SplitPolicy", Splitting.Policy.self)"#,
            "extension Splitting.Policy {", "Splitting.Policy.registerExposedMethods2()",
            "try (object as! Event).label(for: arguments.value(0) as String?, at: arguments.value(1) as Int)",
            "try (object as! Event).move(arguments.value(0) as [String: Any], toPlace: arguments.value(1) as String?)",
            "(object as! Event).guests = try arguments.value(0)",
            "(object as! Splitting.Policy).split()",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    // MARK: What cannot be served

    @Test(
        "A declaration for which no code can be generated is an error at its file and line",
        arguments: [
            ("@NSManaged var a: (Int, Int)", "its type is a tuple"),
            ("@NSManaged var a: () -> Void", "its type is a function"),
            ("@NSManaged var a: some Equatable", "its type is an opaque type"),
            ("@NSManaged var a: Int.Type", "its type is a metatype"),
            ("@NSManaged var a: [String: (Int, Int)]", "its type is a tuple"),
            ("@NSManaged var a: Unheard", "'Unheard' is declared neither in this module"),
            ("@NSManaged var a: Hidden", "its type is private: make 'Hidden' internal"),
            ("@NSManaged var a: Loop", "the type refers to itself"),
            ("@NSManaged func a()", "its name follows none of the accessor patterns"),
            ("@NSManaged func addToA(_ x: Person) async", "it is async"),
            ("@NSManaged func addToA(_ x: Person) -> Int", "its parameters or result do not fit"),
        ])
    func errors(member: String, reason: String) throws {
        let source = """
            private struct Hidden {}
            typealias Loop = [Loop]
            class Person: NSManagedObject {
                \(member)
            }
            """
        let output = try generate(["/src/Person.swift": source])
        #expect(output.text == nil)
        let diagnostic = try #require(output.diagnostics.first)
        #expect(output.diagnostics.count == 1)
        #expect(diagnostic.severity == .error)
        #expect(diagnostic.message.contains(reason))
        #expect(diagnostic.elementPath == "Person.a" || diagnostic.elementPath == "Person.addToA")
        #expect(diagnostic.file == "/src/Person.swift")
        #expect(diagnostic.line == 4)
    }

    @Test("Members of a private class and of a constrained extension are errors")
    func places() throws {
        let source = """
            private class Secret: NSManagedObject { @NSManaged var a: Int }
            class Box<T>: NSManagedObject {}
            extension Box where T: Equatable { @NSManaged var b: Int }
            @NSManaged var c: Int
            """
        let messages = try generate(["a.swift": source]).diagnostics.map(\.message)
        #expect(messages.count == 3)
        #expect(messages[0].contains("make 'Secret' internal"))
        #expect(messages[1].contains("where clause"))
        #expect(messages[2].contains("outside a class"))
    }

    @Test("A class that would be defined twice is an error at the hand-written class")
    func duplicate() throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Car", codeGeneration: .class)
        ])
        let output = try generate(["a.swift": "\nclass Car: NSManagedObject {}"], [document])
        #expect(output.text == nil)
        #expect(output.diagnostics.first?.line == 2)
    }

    @Test("An extension of a class that is declared nowhere is an error at its entity")
    func missingClass() throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Auto", codeGeneration: .category)
        ])
        let output = try generate(["a.swift": "class Car: NSManagedObject {}"], [document])
        #expect(output.text == nil)
        #expect(output.diagnostics.map(\.elementPath) == ["Car"])
        #expect(output.diagnostics.first?.message.contains("class 'Auto' is declared nowhere") == true)
    }

    @Test("The class that a category extends may be declared in a dependency")
    func foreignClass() throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Auto", codeGeneration: .category)
        ])
        let library = ModuleLibrary(
            target: try ModuleIndex(name: "App", sources: []), dependencies: ["Base"],
            load: { name in
                try ModuleIndex(
                    name: name,
                    sources: [SourceText(path: "b.swift", text: "open class Auto: NSManagedObject {}")])
            })
        #expect(SourceGenerator(library: library, documents: [document]).generate().diagnostics == [])
    }

    @Test("A property's type may be a class generated from a model of the target or a dependency")
    func generatedTypes() throws {
        func document(_ name: String) -> ModelDocument {
            ModelDocument(entities: [EntityElement(name: name, className: name, codeGeneration: .class)])
        }
        let source = """
            import Base
            class Car: NSManagedObject { @NSManaged var owner: Owner?; @NSManaged var makers: Set<Maker> }
            """
        let library = ModuleLibrary(
            target: try ModuleIndex(name: "App", sources: [SourceText(path: "a.swift", text: source)]),
            dependencies: ["Base"],
            load: { ModuleIndex(name: $0, files: []).generatingClasses(of: [document("Maker")]) })
        let output = SourceGenerator(library: library, documents: [document("Owner")]).generate()
        #expect(output.diagnostics == [])
        let text = try #require(output.text)
        #expect(text.contains("$s3App3CarC5ownerAA5OwnerCSgvg"))
        #expect(text.contains("$s3App3CarC6makersShy4Base5MakerCGvg"))
    }

    @Test("Generated declarations are no more visible than the hand-written classes they mention")
    func visibility() throws {
        let document = ModelDocument(entities: [
            EntityElement(
                name: "Car", className: "Car", codeGeneration: .class,
                relationships: [
                    RelationshipElement(name: "owner", destinationName: "Owner", maximumCount: 1),
                    RelationshipElement(name: "riders", destinationName: "Owner", maximumCount: 0),
                    RelationshipElement(name: "twin", destinationName: "Car", maximumCount: 1),
                ]),
            EntityElement(name: "Owner", className: "Owner"),
            EntityElement(name: "Heir", className: "Heir", parentName: "Owner", codeGeneration: .class),
        ])
        let output = try generate(["a.swift": "class Owner: NSManagedObject {}"], [document])
        let text = try #require(output.text)
        #expect(text.contains("nonisolated public class Car: "))
        #expect(text.contains("nonisolated class Heir: Owner "))
        #expect(text.contains("\n    var owner: Owner? {"))
        #expect(text.contains("\n    func addToRiders(_ value: Owner) "))
        #expect(text.contains("\n    public var twin: Car? {"))
    }

    @Test("A module whose types are visible to clients is imported publicly, others are not")
    func imports() throws {
        let source = """
            import Base
            @preconcurrency import Other
            public class Car: NSManagedObject {
                @NSManaged public var wheels: [Wheel]
                @NSManaged var motor: Motor?
            }
            """
        let library = ModuleLibrary(
            target: try ModuleIndex(name: "App", sources: [SourceText(path: "a.swift", text: source)]),
            dependencies: ["Base", "Other"],
            load: { name in
                let type = name == "Other" ? "Wheel" : "Motor"
                return try ModuleIndex(
                    name: name,
                    sources: [SourceText(path: "\(name).swift", text: "public struct \(type) {}")])
            })
        let output = SourceGenerator(library: library, documents: []).generate()
        let text = try #require(output.text)
        #expect(text.contains("\n@preconcurrency public import Other\n"))
        #expect(text.contains("\nimport Base\n"))
    }

    @Test("A module with a model has a registration table, even without a class")
    func tableOfModel() throws {
        let text = try #require(
            try generate([:], [ModelDocument(entities: [EntityElement(name: "Car")])]).text)
        #expect(text.contains("class ManagedModuleTable: ManagedModule"))
    }

    @Test("A private validation method leads to a warning")
    func privateValidator() throws {
        let source = """
            class Car: NSManagedObject {
                private func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            }
            """
        let output = try generate(["a.swift": source])
        #expect(output.diagnostics.map(\.severity) == [.warning])
        #expect(output.text?.contains("validatorFor") == false)
    }

    @Test("Class names without a module are mapped to the names by which Swift finds classes")
    func classNames() throws {
        let source = """
            class Car: NSManagedObject {}
            enum Models { class Bike: NSManagedObject {} }
            @objc(CDTrain) class Train: NSManagedObject {}
            """
        let document = ModelDocument(entities: [
            EntityElement(name: "Car", className: "Car"), EntityElement(name: "B", className: ".Bike"),
            EntityElement(name: "T", className: "CDTrain"), EntityElement(name: "X", className: "Unknown"),
        ])
        let library = ModuleLibrary(
            target: try ModuleIndex(name: "App", sources: [SourceText(path: "a.swift", text: source)]))
        let names = SourceGenerator(library: library, documents: [document]).classNames(of: document)
        #expect(names == ["Car": "App.Car", "Bike": "App.Models.Bike", "CDTrain": "App.Train"])
    }
}
