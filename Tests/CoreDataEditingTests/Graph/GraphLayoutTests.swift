import CoreDataEditing
import CoreDataModelFormat
import Foundation
import Testing

@Suite("The layout of a model's graph")
struct GraphLayoutTests {
    private func layout(_ document: ModelDocument) -> GraphLayout {
        GraphLayout(ModelGraph(document), positions: GraphLayout.positions(in: document))
    }

    private func overlaps(_ layout: GraphLayout) -> [String] {
        layout.frames.indices.flatMap { index in
            layout.frames[..<index].indices.filter { layout.frames[$0].isNear(layout.frames[index]) }
                .map { "\(layout.graph.nodes[$0].name) and \(layout.graph.nodes[index].name)" }
        }
    }

    private func frame(_ name: String, _ layout: GraphLayout) throws -> GraphRect {
        layout.frames[try #require(layout.graph.nodes.firstIndex { $0.name == name })]
    }

    @Test(
        "No two boxes overlap, in models of 1 to 300 entities",
        arguments: [1, 2, 3, 5, 8, 13, 30, 60, 120, 300])
    func boxes(count: Int) {
        for seed in 1...(count < 50 ? 12 : 1) {
            let layout = layout(.random(entities: count, seed: UInt64(seed)))
            #expect(layout.frames.count == count)
            #expect(overlaps(layout) == [], "seed \(seed)")
        }
    }

    @Test("Equal models have equal layouts, in whatever order their entities are")
    func repeatable() {
        for seed in 1...10 {
            let document = ModelDocument.random(entities: 40, seed: UInt64(seed))
            var shuffled = document
            var random = SeededGenerator(state: 7)
            shuffled.entities.shuffle(using: &random)
            #expect(layout(document) == layout(document))
            #expect(layout(document) == layout(shuffled))
        }
    }

    @Test("A relationship and its inverse are one line, and one without an inverse is one, too")
    func pairs() throws {
        var document = ModelDocument.named("Author", "Book", "Shop")
        document.relate(0, "books", isToMany: true, 1, "author", isToMany: false)
        document.relate(1, "sequels", isToMany: true, 1, "original", isToMany: false)
        document.entities[2].relationships = [RelationshipElement(name: "stock", destinationName: "Book")]
        let graph = layout(document).graph
        #expect(graph.links.count == 3)
        let pair = graph.links[0]
        #expect(pair.from.relationship?.name == "books")
        #expect(pair.to.relationship?.name == "author")
        #expect(graph.links[2].to.relationship == nil)
        #expect(layout(document).lines.count == 3)
    }

    @Test("Heirs stand below their parent, with a line to it")
    func inheritance() throws {
        var document = ModelDocument.named("Animal", "Dog", "Cat", "Puppy")
        document.entities[1].parentName = "Animal"
        document.entities[2].parentName = "Animal"
        document.entities[3].parentName = "Dog"
        let layout = layout(document)
        #expect(try frame("Dog", layout).minY > frame("Animal", layout).maxY)
        #expect(try frame("Cat", layout).minY > frame("Animal", layout).maxY)
        #expect(try frame("Puppy", layout).minY > frame("Dog", layout).maxY)
        #expect(layout.lines.count == 3)
    }

    @Test("Entities that inherit from themselves are laid out")
    func cycle() {
        var document = ModelDocument.named("A", "B")
        document.entities[0].parentName = "B"
        document.entities[1].parentName = "A"
        #expect(overlaps(layout(document)) == [])
        #expect(layout(ModelDocument()).frames == [])
    }

    @Test("Entities stay where the model places them, and new ones come beside their neighbours")
    func positions() throws {
        var document = ModelDocument.named("Author", "Book", "Far", "New")
        document.relate(0, "books", isToMany: true, 1, "author", isToMany: false)
        document.relate(1, "news", isToMany: true, 3, "book", isToMany: false)
        document.place("Author", 0, 0)
        document.place("Book", 500, 90)
        document.place("Far", 3_000, 2_000)
        let layout = layout(document)
        #expect(try frame("Author", layout).origin == GraphPoint(x: 0, y: 0))
        #expect(try frame("Book", layout).origin == GraphPoint(x: 500, y: 90))
        let (new, book) = try (frame("New", layout), frame("Book", layout))
        #expect(!new.isNear(book) && new.isNear(book, within: 150))
        #expect(overlaps(layout) == [])
    }

    @Test("Boxes that are larger than the editor's are spread, and do not overlap")
    func spread() {
        var document = ModelDocument.random(entities: 12, seed: 3)
        for index in 0..<12 { document.place("Entity\(index)", index % 4 * 150, index / 4 * 80) }
        let layout = layout(document)
        #expect(overlaps(layout) == [])
        #expect(layout != GraphLayout(ModelGraph(document)))
    }

    @Test("Places that the editor gives new entities, one on the other or in steps of 9 points, do not count")
    func steps() {
        var document = ModelDocument.random(entities: 6, seed: 3)
        for index in 0..<6 { document.place("Entity\(index)", -63 + 9 * index, -18 + 9 * index) }
        #expect(layout(document) == GraphLayout(ModelGraph(document)))
        for index in 0..<6 { document.layout[index].attributes["positionX"] = "0" }
        #expect(layout(document) == GraphLayout(ModelGraph(document)))
    }

    @Test("A line goes around a box between its ends")
    func detour() throws {
        var document = ModelDocument.named("Left", "Middle", "Right")
        document.relate(0, "rights", isToMany: true, 2, "left", isToMany: false)
        document.place("Left", 0, 0)
        document.place("Middle", 300, 10)
        document.place("Right", 600, 0)
        let layout = layout(document)
        let middle = try frame("Middle", layout)
        for point in layout.lines[0].path.samples {
            #expect(!middle.contains(point))
        }
    }

    @Test("In computed layouts, of a hundred lines one at most passes through a box")
    func free() {
        var (passing, all) = (0, 0)
        for seed in 1...20 {
            let layout = layout(.random(entities: 10 + seed, seed: UInt64(seed)))
            for line in layout.lines {
                guard case .link(let index) = line.subject else { continue }
                let link = layout.graph.links[index]
                let passed = layout.frames.indices.filter { box in
                    box != link.from.node && box != link.to.node
                        && line.path.samples.contains { layout.frames[box].contains($0) }
                }
                all += 1
                passing += passed.isEmpty ? 0 : 1
            }
        }
        #expect(all > 300)
        #expect(passing * 100 <= all, "\(passing) of \(all)")
    }

    @Test("The places in .layout.json are read and written without loss, one entity a line")
    func file() throws {
        let file = GraphPositionsFile(versions: [
            "Model": ["Book": GraphPoint(x: -63, y: 18.5), "A \"b\"": GraphPoint(x: 0, y: 0)]
        ])
        #expect(GraphPositionsFile(file.data) == file)
        #expect(String(decoding: file.data, as: UTF8.self).contains("\n    \"Book\": [-63, 18.5]\n"))
        #expect(GraphPositionsFile(Data("[1]".utf8)) == nil)
    }
}
