#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

@Suite("Private members that the framework finds by name")
struct PrivateMembersTests {
    @Test("Private members that the framework finds by name are registered in their own file")
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

    @Test("The generated file registers a file's private classes without naming them")
    func privateTables() throws {
        let overlay = overlay([
            "A.swift": "import CoreData\nprivate class Hidden: NSManagedObject { @objc var x: Int { 1 } }"
        ])
        let source = ParsedSource(overlay.ports[0].source)
        let library = ModuleLibrary(target: ModuleIndex(name: "App", parsed: [source]))
        let text = try #require(
            SourceGenerator(library: library, documents: [], ported: overlay.declarations).generate().text)
        #expect(text.contains(".register()\n"))
        #expect(text.contains(".registerClasses()\n"))
        #expect(!text.contains("Hidden"))
        #expect(SourceGenerator(library: library, documents: []).generate().text?.contains("Hidden") == false)
    }
}
#endif
