import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Editing a model in the studio")
struct ModelEditingTests {
    @Test(
        "The state has every element with its owner, its members and the settings that are not the usual ones"
    )
    func state() async throws {
        let model = try StudiedModel()
        let state = await model.get()
        #expect(state["version"]?.string == "Library" && state["revision"]?.number == 0)
        #expect(state["undo"] == .null && state["unsaved"] == .array([]))
        #expect(state["path"]?.string == model.url.path)
        let book = try #require(state.element("Book"))
        #expect(book["members"]?["attribute"]?.list?.count == 2)
        let author = try #require(state.element("Book.author"))
        #expect(author["owner"] == book["id"])
        #expect(author["facets"]?["destination"]?.string == "Author")
        #expect(author["facets"]?["toMany"] == nil, "it is what a new relationship has")
        let facets = try #require(state["facets"]?["relationship"]?.list)
        let rule = try #require(facets.first { $0["name"]?.string == "deleteRule" })
        #expect(rule["choices"]?.strings == ["nullify", "cascade", "deny", "no action"])
        #expect(rule["default"]?.string == "nullify")
        let limits = state["facets"]?["attribute"]?.list?.first { $0["name"]?.string == "minimum" }
        #expect(limits?["types"]?.strings.contains("Date") == true)
        #expect(limits?["types"]?.strings.contains("Binary") == false)
    }

    @Test("A command answers what has changed, and a save writes only the file that did")
    func commands() async throws {
        let model = try StudiedModel(["Library": libraryText, "Library 2": libraryText])
        let before = model.files
        let answer = try await model.perform(
            #"{"command": "rename", "element": "Author", "to": "Writer"}"#)
        #expect(answer.status == 200 && answer.json["revision"]?.number == 1)
        #expect(answer.json["undo"]?.string == "Rename Author")
        #expect(answer.json["unsaved"]?.strings == ["Library 2"])
        let changed = answer.json["elements"]?.list?.compactMap { $0["path"]?.string }
        #expect(
            changed == [
                "Writer", "Writer.born", "Writer.name", "Writer.books", "Book.author",
            ])
        #expect(model.files == before, "nothing is written before a save")

        let saved = try await model.post("save")
        #expect(saved.json["written"]?.strings == ["Library 2.xcdatamodel/contents"])
        #expect(saved.json["unsaved"] == .array([]))
        let after = model.files
        #expect(after.keys == before.keys)
        for (path, data) in after where path != "Library 2.xcdatamodel/contents" {
            #expect(before[path] == data)
        }
        let text = try model.text(version: "Library 2")
        #expect(text.contains("<entity name=\"Writer\"") && text.contains("<sparkle level=\"3\"/>"))
        #expect(text.contains("<!-- the core -->"))
        try await model.post("undo")
        try await model.post("save")
        #expect(model.files == before, "what is undone and saved is what was there")
    }

    @Test("A page that saw a former revision is refused, and gets the state that it needs to go on")
    func staleRevision() async throws {
        let model = try StudiedModel()
        try await model.perform(#"{"command": "rename", "element": "Book.title", "to": "heading"}"#)
        let stale = try await model.post(
            "commands",
            #"{"revision": 0, "commands": [{"command": "remove", "elements": ["Book"]}]}"#)
        #expect(stale.status == 409)
        let state = try #require(stale.json["state"])
        #expect(state["revision"]?.number == 1 && state.element("Book.heading") != nil)
        #expect(await model.paths("entity").contains("Book"))
    }

    @Test("A command that is refused, malformed or of an unknown model says why and changes nothing")
    func refusals() async throws {
        let model = try StudiedModel()
        let before = await model.get()
        let refused = try await model.perform(
            #"{"command": "rename", "element": "Book", "to": "Book2"}, {"command": "rename", "element": "Author", "to": "2"}"#
        )
        #expect(refused.status == 422 && refused.json["command"]?.number == 1)
        #expect(refused.json["error"]?.string == "\"2\" is no legal name of an entity")
        let malformed = try await model.perform(#"{"command": "fly"}"#)
        #expect(malformed.status == 400 && malformed.json["error"]?.string?.contains("fly") == true)
        #expect(try await model.post("commands", #"{"commands": []}"#).status == 400)
        #expect(try await model.post("nothing", "{}").status == 404)
        #expect(await model.answer(StudioRequest(.get, ["models", "m9"])).status == 404)
        #expect(await model.answer(StudioRequest(.get, ["models"])).status == 404)
        #expect(
            await model.answer(StudioRequest(.get, ["models", "m1"], query: ["version": "9"])).status == 404)
        #expect(await model.get() == before)
    }

    @Test("Steps with one key are one step if they follow each other within a second")
    func merging() async throws {
        let model = try StudiedModel()
        for name in ["t", "ti", "tit"] {
            let state = await model.get()
            let id = try #require(state["elements"]?.list?.last?["id"]?.number)
            try await model.perform(
                #"{"command": "rename", "element": \#(id), "to": "\#(name)"}"#, key: "name \(id)")
            model.pass(.milliseconds(900))
        }
        try await model.post("undo")
        #expect(await model.get()["undo"] == .null)
        #expect(await model.paths("attribute").last == "Comic.colors")
        try await model.post("redo")
        model.pass(.milliseconds(1100))
        let state = await model.get()
        let id = try #require(state.element("Comic.tit")?["id"]?.number)
        try await model.perform(
            #"{"command": "rename", "element": \#(id), "to": "title2"}"#, key: "name \(id)")
        try await model.post("undo")
        #expect(await model.paths("attribute").last == "Comic.tit")
    }

    @Test("Every change of a model is told to all pages, once")
    func events() async throws {
        let model = try StudiedModel()
        try await model.perform(#"{"command": "rename", "element": "Book", "to": "Volume"}"#)
        try await model.perform(#"{"command": "rename", "element": "Volume", "to": "Volume"}"#)
        try await model.post("undo")
        var lines: [String] = []
        for try await line in model.studio.events.stream(after: 0) {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.count == 2 { break }
        }
        #expect(
            lines == [
                "{\"number\":1,\"name\":\"model\",\"data\":{\"model\":\"m1\",\"revision\":1}}\n",
                "{\"number\":2,\"name\":\"model\",\"data\":{\"model\":\"m1\",\"revision\":2}}\n",
            ])
    }

    @Test("A studio that only reads refuses every change, and leaves no trace")
    func readOnly() async throws {
        let model = try StudiedModel(isReadOnly: true)
        let before = model.files
        #expect(try await model.perform(#"{"command": "remove", "elements": ["Book"]}"#).status == 403)
        for path in ["undo", "redo", "save", "reload"] { #expect(try await model.post(path).status == 403) }
        #expect(try await model.post("recovery", #"{"takes": true}"#).status == 403)
        await model.studio.look()
        #expect(await model.revision == 0)
        #expect(model.files == before)
        #expect(!FileManager.default.fileExists(atPath: model.stateFolder.path))
        #expect(await model.get()["isReadOnly"] == .boolean(true))
    }

    @Test("Problems name the element and the setting, and the fixes offered for them can be carried out")
    func problems() async throws {
        let model = try StudiedModel()
        let answer = try await model.perform(
            #"{"command": "add", "element": {"kind": "relationship", "name": "editor", "set": {"destination": "Author"}}, "to": "Book"}"#
        )
        let id = try #require(answer.json["elements"]?.list?.first { $0["name"]?.string == "editor" }?["id"])
        let problem = try #require(answer.json["diagnostics"]?.list?.first { $0["element"] == id })
        #expect(problem["facet"]?.string == "inverse" && problem["severity"]?.string == "warning")
        let fixes = await model.get("fixes", ["element": id.line])
        let fix = try #require(fixes["problems"]?.list?.first?["fixes"]?.list?.first?["name"]?.string)
        let fixed = try await model.perform(
            #"{"command": "applyFix", "fix": "\#(fix)", "element": \#(id.line)}"#)
        #expect(fixed.json["diagnostics"]?.list?.contains { $0["element"] == id } == false)
        // What the page knows already is not told again; what names another element is.
        let same = try await model.perform(
            #"{"command": "set", "elements": ["Book"], "set": {"hashModifier": "x"}}"#)
        #expect(same.json["isPartial"] == .boolean(true) && same.json["diagnostics"] == nil)
        let again = try await model.perform(
            #"{"command": "remove", "elements": ["Book.title"]}, "#
                + #"{"command": "add", "element": {"kind": "attribute", "name": "title", "set": {"type": "String"}}, "to": "Book"}"#
        )
        #expect(again.json["diagnostics"]?.list != nil)
        #expect(try await model.post("save").json["diagnostics"]?.list != nil)
    }

    @Test("A preview tells which problems a command would bring, and does nothing")
    func preview() async throws {
        let model = try StudiedModel()
        let preview = try await model.post(
            "preview", #"{"commands": [{"command": "remove", "elements": ["Book"]}]}"#)
        let problems = preview.json["problems"]?.list?.compactMap { $0["path"]?.string } ?? []
        #expect(problems.contains("Author.books") && problems.contains("Comic"))
        #expect(await model.revision == 0)
    }
}
