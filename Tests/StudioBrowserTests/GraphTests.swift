#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of the graph", .inBrowser, .serialized)
struct GraphTests {
    private static func openGraph(_ story: BrowserStory) async throws {
        let page = story.page
        try await page.click(".rail a[href^='#/models/']")
        try await page.click("button[aria-label='Graph']")
        try await page.see("Author", in: ".graph .node")
        try await page.wait("the view", until: "return document.querySelector('.graph .window') !== null;")
    }

    private static func contents(_ story: BrowserStory) throws -> String {
        let version = story.folder.appendingPathComponent("Library.xcdatamodeld/Library.xcdatamodel")
        return try String(contentsOf: version.appendingPathComponent("contents"), encoding: .utf8)
    }

    private static let undoIsEmpty = "return document.querySelector(\"button[aria-label^='Undo']\").disabled;"

    @Test(
        "a drag from one entity to another asks for both sides, and makes a pair of relationships with one line"
    )
    func relating() async throws {
        try await BrowserStory.tell("relating", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await Self.openGraph(story)
            let before = try await page.count(".graph .line.link")
            try await page.drag(
                from: .init(selector: ".node[data-name=Shelf] .port"),
                to: .init(selector: ".node[data-name=Book] .name"))
            try await page.see("Relate Shelf and Book", in: "dialog")
            try await story.keepPicture("relating")
            try await page.click("dialog .main")
            try await page.wait(
                "one more line",
                until: "return document.querySelectorAll('.graph .line.link').length === arguments[0];",
                .integer(Int64(before + 1)))
            try await story.keepPicture("related")
            try await story.save()
            let contents = try Self.contents(story)
            #expect(
                contents.contains(
                    "<relationship name=\"books\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
                        + "destinationEntity=\"Book\" inverseName=\"shelf\" inverseEntity=\"Book\"/>"))
            #expect(
                contents.contains(
                    "<relationship name=\"shelf\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
                        + "destinationEntity=\"Shelf\" inverseName=\"books\" inverseEntity=\"Shelf\"/>"))
        }
    }

    @Test("a drag to an empty place makes a related entity, and names the relationships by its name")
    func drawing() async throws {
        try await BrowserStory.tell("drawing", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await Self.openGraph(story)
            try await page.drag(
                from: .init(selector: ".node[data-name=Shelf] .port"),
                to: .init(selector: ".node[data-name=Shelf] .name", y: 120))
            try await page.see("New entity related to Shelf", in: "dialog")
            try await page.type("Category")
            try await story.keepPicture("drawing")
            #expect(
                try await page.evaluate(
                    """
                    const body = document.querySelector("dialog .dialog-body").getBoundingClientRect();
                    return [...document.querySelectorAll("dialog input, dialog select, dialog .segments")]
                        .every(each => each.getBoundingClientRect().right <= body.right);
                    """) == .boolean(true))
            try await page.type("{Enter}")
            try await page.see("Category", in: ".node[data-name=Category]")
            try await story.save()
            let contents = try Self.contents(story)
            #expect(
                contents.contains(
                    "<relationship name=\"categories\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
                        + "destinationEntity=\"Category\" inverseName=\"shelf\" inverseEntity=\"Category\"/>")
            )
        }
    }

    @Test("an entity that is added in the graph is named and seen there")
    func adding() async throws {
        try await BrowserStory.tell("adding in the graph", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await Self.openGraph(story)
            try await page.type("{Alt+n}")
            try await page.wait(
                "its name is edited",
                until: """
                    const { id, value } = document.activeElement;
                    return id.startsWith("field-name") && value === "Entity";
                    """)
            try await page.type("Reader{Enter}")
            try await page.see("Reader", in: ".graph .node.selected")
            try await story.keepPicture("graph-adding")
        }
    }

    @Test("in a narrow window the graph has room for its boxes, and the list of entities leaves it")
    func narrow() async throws {
        try await BrowserStory.tell("narrow graph", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.resize(to: (700, 850))
            try await Self.openGraph(story)
            try await page.wait(
                "boxes in the window",
                until: """
                    const graph = document.querySelector(".graph").getBoundingClientRect();
                    return graph.height > innerHeight / 2 && [...document.querySelectorAll(".node")].every(each => {
                        const { top, bottom } = each.getBoundingClientRect();
                        return top >= graph.top && bottom <= graph.bottom;
                    });
                    """)
            try await story.keepPicture("graph-narrow")
        }
    }

    @Test("Escape during a drag leaves nothing, of a relationship and of a move")
    func escaping() async throws {
        try await BrowserStory.tell("escaping", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await Self.openGraph(story)
            let places =
                "return [...document.querySelectorAll('.node')].map(each => each.getAttribute('transform'));"
            let before = try await page.evaluate(places)
            try await page.drag(
                from: .init(selector: ".node[data-name=Shelf] .port"),
                to: .init(selector: ".node[data-name=Book] .name"),
                cancelling: true)
            #expect(try await page.count(".relating") == 0)
            try await page.drag(
                from: .init(selector: ".node[data-name=Shelf] .name"),
                to: .init(selector: ".node[data-name=Shelf] .name", x: 60, y: 40), cancelling: true)
            #expect(try await page.evaluate(places) == before)
            #expect(try await page.count("dialog[open]") == 0)
            #expect(try await page.evaluate(Self.undoIsEmpty) == .boolean(true))
            #expect(try Self.contents(story) == LibraryFiles.contents)
        }
    }

    @Test(
        "an entity that was moved is there again after the page is loaded anew, and the model's file stays as it is"
    )
    func moving() async throws {
        try await BrowserStory.tell("moving", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await Self.openGraph(story)
            let place = "return document.querySelector('.node[data-name=Shelf]').getAttribute('transform');"
            let before = try await page.evaluate(place)
            try await page.drag(
                from: .init(selector: ".node[data-name=Shelf] .name"),
                to: .init(selector: ".node[data-name=Shelf] .name", x: 90, y: 70))
            try await page.wait(
                "a move to undo",
                until: "return document.querySelector(\"button[aria-label^='Undo: Move']\") !== null;")
            let after = try await page.evaluate(place)
            #expect(after != before)
            try await story.save()
            try await page.evaluate("location.reload();")
            try await page.wait("the same place", until: place.dropLast() + " === arguments[0];", after)
            #expect(try Self.contents(story) == LibraryFiles.contents)
            let layout = story.folder.appendingPathComponent(
                "Library.xcdatamodeld/Library.xcdatamodel/.layout.json")
            let other = story.folder.appendingPathComponent("Library.xcdatamodeld/.layout.json")
            #expect([layout, other].contains { FileManager.default.fileExists(atPath: $0.path) })
        }
    }

    @Test(
        "forty entities without places are arranged so that no two overlap, and undo brings back how they lay"
    )
    func arranging() async throws {
        try await BrowserStory.tell("arranging", prepare: Self.stack(in:)) { story in
            let page = story.page
            try await page.click(".rail a[href^='#/models/']")
            try await page.click("button[aria-label='Graph']")
            try await page.wait(
                "the boxes", until: "return document.querySelectorAll('.node').length === 40;")
            // All on one place, which their author never chose: they are drawn apart from the beginning.
            try await page.wait("no overlap", until: Self.noOverlap)
            try await page.drag(
                from: .init(selector: ".node[data-name=Entity1] .name"),
                to: .init(selector: ".node[data-name=Entity7] .name"))
            try await page.wait(
                "a move to undo",
                until: "return !document.querySelector(\"button[aria-label^='Undo']\").disabled;")
            try await page.wait("an overlap", until: "return !(() => {" + Self.noOverlap + "})();")
            // With the first move all boxes get places, which are whole numbers.
            try await page.wait(
                "places", until: "return !JSON.stringify((() => {" + Self.places + "})()).includes('.');")
            let moved = try await page.evaluate(Self.places)
            try await page.click("button[aria-label='Arrange']")
            try await page.wait("no overlap", until: Self.noOverlap)
            try await story.keepPicture("arranged")
            try await page.type("{Ctrl+z}")
            try await page.wait(
                "as they lay",
                until: "return JSON.stringify((() => {" + Self.places + "})()) === arguments[0];",
                .string(moved.line))
        }
    }

    private static let places =
        "return [...document.querySelectorAll('.nodes .node')].map(each => each.dataset.name + each.getAttribute('transform')).sort();"

    private static let noOverlap = """
        const boxes = [...document.querySelectorAll('.nodes .node')].map(each => {
            const [x, y] = each.getAttribute('transform').match(/[-0-9.]+/g).map(Number);
            const box = each.querySelector('.box');
            return [x, y, x + Number(box.getAttribute('width')), y + Number(box.getAttribute('height'))];
        });
        return boxes.length > 1 && boxes.every((one, index) => boxes.slice(index + 1).every(other =>
            one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1]));
        """

    /// Writes a model of forty entities that all lie on one place.
    private static func stack(in folder: URL) throws -> [String] {
        let names = (1...40).map { "Entity\($0)" }
        let entities = names.enumerated().map { index, name in
            """
                <entity name="\(name)" representedClassName="\(name)" syncable="YES">
                    <attribute name="title" optional="YES" attributeType="String"/>
                    <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="\(names[(index * 7 + 3) % 40])"/>
                </entity>

            """
        }
        let places = names.map {
            "        <element name=\"\($0)\" positionX=\"0\" positionY=\"0\" width=\"128\" height=\"75\"/>\n"
        }
        return try ModelFiles.write(
            "Stack", "\(entities.joined())    <elements>\n\(places.joined())    </elements>", in: folder)
    }
}
#endif
