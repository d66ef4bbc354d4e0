import CoreDataCodegen
import CoreDataModelFormat
import Testing

@Suite("Sources that need the overlay")
struct UnportedUseTests {
    private func firstUse(in source: String) -> Diagnostic? {
        SourceText(path: "/src/File.swift", text: source).unportedUse(besides: ["WatchKit"])
    }

    @Test(
        "The first place that fails to compile, or fails when run, is reported",
        arguments: [
            "class A {}\n@objc class B {}\n@objc class C {}",
            "class A {\n    @IBOutlet weak var label: Label? }",
            "let key =\n    #keyPath(Person.name)",
            "func f() { observe(\n#selector(changed(_:))) }",
            "let people = request\nas! NSFetchRequest<Person>",
            "let people = Employee.fetchRequest()\nas! NSFetchRequest<Person>",
            "import Foundation\nimport UIKit", "import CoreData\nimport CoreData.CoreDataDefines",
            "let name =\nFoundation.ValueTransformer.self",
            "delegate?.\ncontrollerDidChangeContent?(controller)",
            "delegate?.\ncontroller?(c, didChange: x[0, 1], at: nil, for: .insert, newIndexPath: p)",
            "#if canImport(UIKit)\n#elseif os(Linux)\n@objc\n#endif\nclass A {}",
        ])
    func found(source: String) throws {
        let use = try #require(firstUse(in: source))
        #expect(use.severity == .warning)
        #expect(use.file == "/src/File.swift")
        #expect(use.line == (source.hasPrefix("#if") ? 3 : 2))
        #expect(use.message.contains("CoreDataOverlayPlugin"))
    }

    @Test(
        "A source that compiles unchanged reports nothing",
        arguments: [
            "class A: NSManagedObject { @NSManaged var x: Int }",
            "let text = \"#keyPath(A.x) @objc\" // @objc",
            "let people = Person.fetchRequest() as! NSFetchRequest<Person>",
            "import WatchKit\nimport class CoreData.NSManagedObject\n#if canImport(UIKit)\nimport UIKit\n#endif",
            "load?(controller); controller?(c, other: x)",
            "#if canImport(ObjectiveC)\n@objc(A)\n#endif\nclass A {}",
            "#if os(Linux)\nclass A {}\n#else\n@objc class A {}\n#endif",
        ])
    func absent(source: String) { #expect(firstUse(in: source) == nil) }
}
