import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("The drawing of a model")
struct GraphSVGTests {
    private func svg(
        _ document: ModelDocument, detail: ModelGraph.Detail = .all, entities: Set<String>? = nil
    ) -> String {
        let graph = ModelGraph(document, detail: detail, entities: entities)
        return GraphSVG(GraphLayout(graph), title: "Model <1>").text
    }

    private func count(_ part: String, _ text: String) -> Int { text.components(separatedBy: part).count - 1 }

    private var library: ModelDocument {
        var document = ModelDocument.named("Author", "Book")
        document.entities[0].attributes = [
            AttributeElement(name: "name", type: .string),
            AttributeElement(name: "age", type: .integer16, isOptional: true),
        ]
        document.entities[0].uniquenessConstraints = [["name"]]
        document.relate(0, "books", isToMany: true, 1, "author", isToMany: false)
        return document
    }

    @Test("Names of any kind are well-formed XML")
    func names() throws {
        var document = library
        document.entities[0].name = "A<&>\"'\u{1}]]>"
        document.entities[1].attributes = [
            AttributeElement(name: "\u{0}\n<b>", type: .string, customClassName: "[\u{FFFF}]")
        ]
        let text = svg(document)
        let parser = XMLParser(data: Data(text.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(text.contains("<title id=\"title\">Model &lt;1&gt;</title>"))
    }

    @Test("The drawing in the documentation is that of the example")
    func example() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let package = root.appendingPathComponent("Examples/Sources/Tweets/Tweets.xcdatamodeld")
        let document = try ModelPackage.readCurrentVersion(at: package).document
        let layout = GraphLayout(ModelGraph(document), positions: GraphLayout.positions(in: document))
        let drawing = root.appendingPathComponent("Sources/CoreData/CoreData.docc/Resources/TweetsModel.svg")
        let text = GraphSVG(layout, title: "Tweets").text + "\n"
        #expect(try String(contentsOf: drawing, encoding: .utf8) == text)
    }

    @Test("Rows say name, type and flags")
    func rows() {
        let text = svg(library)
        for part in [">name<", ">String<", ">unique<", ">age<", ">Int16?<", ">books<", ">[Book]<"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("The detail is names, keys, or all")
    func detail() {
        #expect(!svg(library, detail: .names).contains(">books<"))
        let keys = svg(library, detail: .keys)
        #expect(keys.contains(">books<") && keys.contains(">name<") && !keys.contains(">age<"))
    }

    @Test("A pair of relationships has one head where one object is, two where many are, and a dashed half")
    func heads() {
        let text = svg(library)
        // Besides those of the legend, which has four.
        #expect(count("class=\"head\"", text) == 3 + 3)
        #expect(count("class=\"stroke optional\"", text) == 1 + 1)
        #expect(text.contains("Author.books to many Book, optional, on delete nullify"))
    }

    @Test("The drawing has light and dark colours, and says to readers without eyes what it shows")
    func style() {
        let text = svg(library)
        #expect(text.contains("@media(prefers-color-scheme:dark)"))
        #expect(text.contains("aria-label=\"Author, 2 attributes, books to Book\""))
        #expect(!text.contains("url("))
        #expect(!text.contains("<script"))
    }

    @Test("An entity is drawn with those that some links, or inheritance, lead to")
    func neighbours() {
        var document = library
        document.entities += [EntityElement(name: "Shop"), EntityElement(name: "Novel", parentName: "Book")]
        document.relate(1, "shops", isToMany: true, 2, "books", isToMany: true)
        #expect(ModelGraph.neighbours(of: "Author", within: 0, in: document) == ["Author"])
        #expect(ModelGraph.neighbours(of: "Author", within: 1, in: document) == ["Author", "Book"])
        #expect(ModelGraph.neighbours(of: "Author", within: 2, in: document).count == 4)
        let text = svg(document, entities: ["Author", "Book"])
        #expect(text.contains(">Author<") && !text.contains(">Shop<"))
    }
}
