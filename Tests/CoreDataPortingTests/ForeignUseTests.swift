#if Overlay
import CoreDataCodegen
import CoreDataPorting
import Testing

@Suite("Uses of APIs that only Apple's systems have")
struct ForeignUseTests {
    private func uses(_ text: String) -> [String] {
        ForeignUse.all(in: ParsedSource(SourceText(path: "/A.swift", text: text))).map {
            "\($0.line) \($0.topic) \($0.name)"
        }
    }

    @Test(
        "Each use is recognised by its spelling in the source",
        arguments: [
            ("import Combine", "1 combine Combine"),
            ("class A { @Published var x = 1 }", "1 combine Published"),
            ("centre.publisher(for: .changed)", "1 combine publisher"),
            ("a.observe(\\.name) { _, _ in }", "1 keyValueObserving observe"),
            (
                "a.addObserver(self, forKeyPath: key, options: [], context: nil)",
                "1 keyValueObserving addObserver"
            ),
            (
                "class A { override func observeValue(forKeyPath k: String?) {} }",
                "1 keyValueObserving observeValue"
            ),
            (
                "class A { class func keyPathsForValuesAffectingName() -> Set<String> { [] } }",
                "1 keyValueObserving keyPathsForValuesAffectingName"
            ),
            (
                "class A { static var keyPathsForValuesAffectingName: Set<String> { [] } }",
                "1 keyValueObserving keyPathsForValuesAffectingName"
            ),
            ("let colour: UIColor?", "1 userInterface UIColor"),
            ("import CloudKit", "1 cloudKit CloudKit"),
            ("let c = NSPersistentCloudKitContainer(name: x)", "1 cloudKit NSPersistentCloudKitContainer"),
            ("let r: CKRecord", "1 cloudKit CKRecord"),
            ("import os.log", "1 logging os"),
            ("import OSLog", "1 logging OSLog"),
            ("let b = Bundle(for: A.self)", "1 bundle Bundle(for:)"),
            ("let d: NSCoreDataCoreSpotlightDelegate", "1 spotlight NSCoreDataCoreSpotlightDelegate"),
        ])
    func found(source: String, use: String) {
        #expect(uses(source) == [use])
    }

    @Test("A transformer of Apple's UI classes is reported in addition to the classes it uses")
    func transformers() {
        #expect(
            uses(
                "class ColourTransformer: ValueTransformer {\n  let c: [AnyClass] = [UIColor.self, UIImage.self]\n}"
            )
                == ["1 valueTransformer ColourTransformer", "2 userInterface UIColor"])
    }

    @Test(
        "Nothing is reported for sources without uses and for branches for other platforms",
        arguments: [
            "centre.addObserver(self, selector: s, name: n, object: nil)",
            "let x: UInt, y: UID, z: NSManagedObject",
            "#if canImport(UIKit)\nlet c: UIColor\n#endif",
            "center.addObserver(forName: n, object: nil) { _ in }",
            "queue.observe(name)", "let s = \"UIColor\" // UIColor",
        ])
    func none(source: String) {
        #expect(uses(source) == [])
    }
}
#endif
