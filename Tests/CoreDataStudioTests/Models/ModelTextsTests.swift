import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("What the studio shows of a model besides its elements")
struct ModelTextsTests {
    @Test("Changes since the save are told in words, and line by line")
    func changes() async throws {
        let model = try StudiedModel()
        try await model.perform(
            #"{"command": "set", "elements": ["Book.title"], "set": {"optional": false}}"#)
        let changes = await model.get("changes")
        #expect(changes["lines"]?.strings == ["~ attribute Book.title: optional yes -> no"])
        #expect(changes["incompatibleEntities"]?.strings == ["Book", "Comic"])
        let hunk = try #require(changes["xml"]?.list?.first?.list)
        let differing = hunk.filter { $0["kind"]?.string != "same" }
        #expect(differing.map { $0["kind"]?.string } == ["removed", "added"])
        #expect(differing[0]["old"]?.number == 11 && differing[1]["new"]?.number == 11)
        #expect(differing[1]["text"]?.string?.contains("name=\"title\" attributeType") == true)
        #expect(hunk.count == 8, "three equal lines before and behind")
        try await model.post("save")
        #expect(await model.get("changes")["xml"] == .array([]))
    }

    @Test("Changes can be asked for against another version")
    func changesOfVersions() async throws {
        let model = try StudiedModel()
        try await model.perform(
            #"{"command": "addVersion", "name": "Library 2"}, {"command": "rename", "element": "Book.title", "to": "heading", "version": "Library 2"}"#
        )
        let changes = await model.get("changes", ["against": "Library", "version": "Library 2"])
        #expect(changes["lines"]?.strings == ["> attribute Book.heading, which was Book.title"])
        let all = await model.get("changes", ["version": "Library 2"])
        #expect(all["all"]?.strings == ["+ version Library 2"])
    }

    @Test("The text of the XML is what a save writes, and of an unchanged version what is on disk")
    func contents() async throws {
        let odd = libraryText.replacingOccurrences(of: "    <attribute", with: "\t<attribute") + "\n\n"
        let model = try StudiedModel(["Library": odd])
        #expect(await model.text("contents") == odd)
        try await model.perform(#"{"command": "rename", "element": "Comic", "to": "Strip"}"#)
        let text = await model.text("contents")
        try await model.post("save")
        #expect(try model.text() == text && text.contains("Strip"))
    }

    @Test("Classes are those that a build generates, of all entities or of one in a style of choice")
    func classes() async throws {
        let model = try StudiedModel()
        let all = await model.text("classes")
        #expect(all.contains("class Author") && all.contains("class Book"))
        let one = await model.text("classes", ["entity": "Book", "style": "class"])
        #expect(one.contains("class Book") && !one.contains("class Author"))
        #expect(await model.text("classes", ["entity": "Nobody"]) == "status 404")
    }

    @Test("An entity has the hash it had as it was saved, or in the version before, and the one it has now")
    func hashes() async throws {
        let model = try StudiedModel()
        let saved = await model.get("hashes", ["entity": "Book"])
        #expect(saved["after"]?.string?.count == 44 && saved["before"] == nil)
        try await model.perform(
            #"{"command": "set", "elements": ["Book.title"], "set": {"optional": false}}"#)
        var edited = await model.get("hashes", ["entity": "Book"])
        #expect(edited["since"]?.string == "saved" && edited["before"] == saved["after"])
        #expect(edited["after"] != saved["after"] && edited["needsMigration"] == .boolean(true))
        // What only people read changes no store.
        edited = await model.get("hashes", ["entity": "Author"])
        #expect(edited["before"] == edited["after"] && edited["needsMigration"] == .boolean(false))
        try await model.post("save")
        #expect(await model.get("hashes", ["entity": "Book"])["before"] == nil)
        try await model.perform(
            #"{"command": "addVersion", "name": "Library 2"}, {"command": "rename", "element": "Author", "to": "Writer", "version": "Library 2"}, {"command": "set", "elements": ["Book.title"], "set": {"optional": true}, "version": "Library 2"}"#
        )
        let renamed = await model.get("hashes", ["entity": "Writer", "version": "Library 2"])
        #expect(renamed["since"]?.string == "Library" && renamed["before"]?.string?.count == 44)
        #expect(renamed["needsMigration"] == .boolean(true))
        let missing = await model.get("hashes", ["entity": "Nobody"])
        #expect(missing["error"]?.string == "the model has no entity \"Nobody\"")
    }

    @Test("The graph has a box for each entity and one line for a relationship and its inverse")
    func graph() async throws {
        let model = try StudiedModel()
        let graph = await model.get("graph")
        #expect(graph["nodes"]?.list?.compactMap { $0["name"]?.string } == ["Author", "Book", "Comic"])
        let lines = try #require(graph["lines"]?.list)
        #expect(lines.compactMap { $0["kind"]?.string } == ["link", "inheritance"])
        #expect(lines[0]["there"]?["isToMany"] == .boolean(true))
        #expect(lines[0]["back"]?["name"]?.string == "author")
        #expect(await model.text("graph.svg").hasPrefix("<svg "))
        #expect(await model.get("graph", ["entity": "Comic", "steps": "1"])["nodes"]?.list?.count == 2)
    }

    @Test(
        "A box that is moved stands there after a restart, in a file beside the model if the model has no places"
    )
    func places() async throws {
        let model = try StudiedModel()
        let before = model.files
        try await model.perform(
            #"{"command": "place", "places": [{"entity": "Book", "x": 333, "y": -40}]}"#)
        try await model.perform(#"{"command": "rename", "element": "Book", "to": "Volume"}"#)
        try await model.post("undo")
        let saved = try await model.post("save")
        #expect(saved.json["written"]?.strings == [".layout.json"])
        var rest = model.files
        rest[".layout.json"] = nil
        #expect(rest == before)
        try model.restart()
        let node = await model.get("graph")["nodes"]?.list?.first { $0["name"]?.string == "Book" }
        #expect(node?["frame"]?.list?.prefix(2) == [.double(333), .double(-40)])
        #expect(await model.get()["unsaved"] == .array([]))
    }

    @Test("A model that has places in its file gets the new place there, in one line")
    func placesInFile() async throws {
        let elements = """
                <elements>
                    <element name="Author" positionX="0" positionY="0" width="128" height="88"/>
                    <element name="Book" positionX="400" positionY="0" width="128" height="103"/>
                    <element name="Comic" positionX="400" positionY="300" width="128" height="58"/>
                </elements>
            </model>
            """
        let text = libraryText.replacingOccurrences(of: "</model>", with: elements)
        let model = try StudiedModel(["Library": text])
        try await model.perform(
            #"{"command": "place", "places": [{"entity": "Author", "x": 12, "y": 34}]}"#)
        try await model.post("save")
        let expected = text.replacingOccurrences(
            of: "positionX=\"0\" positionY=\"0\"", with: "positionX=\"12\" positionY=\"34\"")
        #expect(try model.text() == expected)
        #expect(model.files[".layout.json"] == nil)
    }

    @Test("A migration tells what became of entities, what stands in the way, the mapping and the SQL")
    func migration() async throws {
        let model = try StudiedModel()
        try await model.perform(
            """
            {"command": "addVersion", "name": "Library 2"},
            {"command": "rename", "element": "Book.title", "to": "heading", "version": "Library 2"}
            """)
        let answer = try await model.post("migration", #"{"version": "Library 2"}"#)
        #expect(answer.status == 200 && answer.json["from"]?.string == "Library")
        let book = answer.json["entities"]?.list?.first { $0["entity"]?.string == "Book" }
        #expect(
            book?["properties"]
                == .array([
                    .object([.init("property", .string("heading")), .init("was", .string("title"))])
                ]))
        #expect(answer.json["obstacles"] == .array([]))
        #expect(answer.json["plan"]?["method"]?.string == "in place")
        let statements = answer.json["plan"]?["statements"]?.list?.compactMap { $0["sql"]?.string } ?? []
        #expect(statements.contains { $0.contains("ZHEADING") })

        try await model.perform(
            #"{"command": "set", "elements": ["Book.pages"], "set": {"type": "Date"}, "version": "Library 2"}"#
        )
        let blocked = try await model.post("migration", #"{"version": "Library 2"}"#)
        let obstacle = blocked.json["obstacles"]?.list?.first
        #expect(obstacle?["entity"]?.string == "Book" && obstacle?["property"]?.string == "pages")
        #expect(blocked.json["plan"]?["method"]?.string == "impossible")
    }
}
