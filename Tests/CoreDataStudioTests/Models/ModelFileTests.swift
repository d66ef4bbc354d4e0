import CoreDataJSON
import CoreDataModelSource
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Files of a model that the studio has open")
struct ModelFileTests {
    @Test("A file that another program writes is read again, and elements keep their IDs")
    func readAgain() async throws {
        let model = try StudiedModel()
        let id = await model.get().element("Book.title")?["id"]
        try model.write(libraryText.replacingOccurrences(of: "\"pages\"", with: "\"length\""))
        await model.studio.look()
        let state = await model.get()
        #expect(state.element("Book.length") != nil && state.element("Book.pages") == nil)
        #expect(state.element("Book.title")?["id"] == id && id != nil)
        #expect(state["unsaved"] == .array([]) && state["undo"]?.string == "Read again from the file")
        await model.studio.look()
        #expect(await model.revision == 1)
    }

    @Test("Edits on both sides are merged as one step, and what contradicts each other is listed")
    func merge() async throws {
        let model = try StudiedModel()
        try await model.perform(
            """
            {"command": "set", "elements": ["Author.name"], "set": {"default": "Nobody"}},
            {"command": "rename", "element": "Book.title", "to": "heading"}
            """)
        try model.write(
            libraryText.replacingOccurrences(of: "\"Anon\"", with: "\"Somebody\"")
                .replacingOccurrences(of: "name=\"born\"", with: "name=\"birth\""))
        await model.studio.look()
        let state = await model.get()
        #expect(state.element("Author.birth") != nil && state.element("Book.heading") != nil)
        #expect(state.element("Author.name")?["facets"]?["default"]?.string == "Nobody")
        let conflict = try #require(state["conflicts"]?.list?.first)
        #expect(conflict["path"]?.string == "Author.name")
        for side in ["Nobody", "Somebody", "Anon"] {
            #expect(conflict["text"]?.string?.contains(side) == true)
        }
        #expect(state["undo"]?.string == "Merge with the file")
        #expect(try await model.post("save").status == 200)
        let text = try model.text()
        #expect(text.contains("birth") && text.contains("heading") && text.contains("Nobody"))
        #expect(await model.get()["conflicts"] == .array([]))
    }

    @Test("A save over a file that changed since is refused; the change is merged first")
    func overtaken() async throws {
        let model = try StudiedModel()
        try await model.perform(#"{"command": "rename", "element": "Comic", "to": "Strip"}"#)
        let theirs = libraryText.replacingOccurrences(of: "\"born\"", with: "\"birth\"")
        try model.write(theirs)
        let refused = try await model.post("save")
        #expect(refused.status == 409)
        #expect(try model.text() == theirs)
        #expect(try await model.post("save").status == 200)
        let text = try model.text()
        #expect(text.contains("name=\"birth\"") && text.contains("name=\"Strip\""))
    }

    @Test("A package that names no current version opens, says so as a problem, and is mended by a choice")
    func assumedCurrentVersion() async throws {
        let model = try StudiedModel(["Library": libraryText, "Library 2": libraryText])
        let marker = model.url.appendingPathComponent(".xccurrentversion")
        try FileManager.default.removeItem(at: marker)
        try model.restart()
        func problems(_ state: JSONValue) -> [String] {
            (state["diagnostics"]?.list ?? []).compactMap { $0["message"]?.string }
        }
        let opened = await model.get()
        #expect(opened["version"]?.string == "Library 2")
        #expect(opened["unsaved"] == .array([]))
        #expect(problems(opened).contains { $0.contains("no .xccurrentversion") })
        #expect(opened["versions"]?.list?.map { $0["isCurrent"] } == [.boolean(false), .boolean(false)])
        try await model.perform(#"{"command": "setCurrentVersion", "version": "Library 2"}"#)
        #expect(await model.get()["unsaved"] == .array([.string("current version")]))
        #expect(try await model.post("save").status == 200)
        #expect(FileManager.default.fileExists(atPath: marker.path))
        let saved = await model.get()
        #expect(saved["unsaved"] == .array([]))
        #expect(!problems(saved).contains { $0.contains("xccurrentversion") })
        try model.restart()
        #expect(await model.get()["version"]?.string == "Library 2")
    }

    @Test("A file that is no model is not taken over, and a save says so and writes nothing")
    func trouble() async throws {
        let model = try StudiedModel()
        try await model.perform(#"{"command": "rename", "element": "Comic", "to": "Strip"}"#)
        try model.write("<model><entity")
        await model.studio.look()
        let state = await model.get()
        #expect(state["trouble"]?.string?.contains("contents") == true)
        #expect(state.element("Strip") != nil)
        #expect(try await model.post("save").status == 409)
        #expect(try model.text() == "<model><entity")
        try model.write(libraryText)
        await model.studio.look()
        #expect(await model.get()["trouble"] == .null)
        #expect(try await model.post("save").status == 200)
    }

    @Test("Versions that another program adds or removes come and go, unless they were edited here")
    func versions() async throws {
        let model = try StudiedModel(["A": libraryText, "B": libraryText, "C": libraryText])
        try await model.perform(
            #"{"command": "rename", "element": "Comic", "to": "Strip", "version": "B"}"#)
        for name in ["A", "B"] {
            try FileManager.default.removeItem(at: model.url.appendingPathComponent("\(name).xcdatamodel"))
        }
        try model.write(libraryText, version: "D")
        await model.studio.look()
        let state = await model.get()
        #expect(state["versions"]?.list?.compactMap { $0["name"]?.string } == ["B", "C", "D"])
        #expect(state["conflicts"]?.list?.first?["setting"]?.string == "version B")
    }

    @Test("Unsaved edits are kept for their user alone, and dropped when they are saved or undone")
    func recoveryFile() async throws {
        let model = try StudiedModel()
        await model.studio.look()
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: model.stateFolder.path)
                .filter { $0 != "recent.json" }
        }
        #expect(try names() == [])
        try await model.perform(#"{"command": "rename", "element": "Comic", "to": "Strip"}"#)
        await model.studio.look()
        #expect(try names().count == 1)
        let file = model.stateFolder.appendingPathComponent(try #require(names().first))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await model.post("undo")
        await model.studio.look()
        #expect(try names() == [])
    }

    /// Leaves the edits of a process that is gone.
    private func abandonEdits(
        of model: StudiedModel, restarting: Bool = true, _ change: (String) -> String
    ) throws {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/bin/true")
        try program.run()
        program.waitUntilExit()
        let files = try PackageFiles.read(at: model.url)
        let other = try StudiedModel(["Library": change(libraryText)])
        try EditRecovery(of: model.url, in: model.stateFolder, process: program.processIdentifier)
            .keep(ModelPackage.read(at: other.url), over: files)
        if restarting { try model.restart() }
    }

    @Test("Edits of a program that ended without saving them are offered, and taken as one step")
    func recovery() async throws {
        let model = try StudiedModel()
        try abandonEdits(of: model) { $0.replacingOccurrences(of: "\"pages\"", with: "\"length\"") }
        let state = await model.get()
        #expect(
            state["recovery"]?["changes"]?.strings == [
                "+ attribute Book.length: type Integer 32, optional, default 0, scalar",
                "- attribute Book.pages",
            ])
        #expect(state.element("Book.pages") != nil)
        let taken = try await model.post("recovery", #"{"takes": true}"#)
        #expect(taken.json["recovery"] == .null && taken.json["undo"]?.string == "Recover unsaved edits")
        #expect(await model.paths("attribute").contains("Book.length"))
        try model.restart()
        #expect(await model.get()["recovery"] == .null)
    }

    @Test("Edits of a program that ends while the model is open here are offered, too")
    func laterRecovery() async throws {
        let model = try StudiedModel()
        try abandonEdits(of: model, restarting: false) {
            $0.replacingOccurrences(of: "\"pages\"", with: "\"length\"")
        }
        #expect(await model.get()["recovery"] == .null)
        await model.studio.look()
        #expect(await model.get()["recovery"]?["changes"]?.strings.count == 2)
    }

    @Test("Recovered edits are merged with what the file says by then, and can be declined")
    func recoveryOfChangedFile() async throws {
        let model = try StudiedModel()
        try abandonEdits(of: model) { $0.replacingOccurrences(of: "\"Anon\"", with: "\"Nobody\"") }
        try model.write(libraryText.replacingOccurrences(of: "\"born\"", with: "\"birth\""))
        try model.restart()
        try await model.post("recovery", #"{"takes": true}"#)
        let state = await model.get()
        #expect(state.element("Author.birth") != nil)
        #expect(state.element("Author.name")?["facets"]?["default"]?.string == "Nobody")

        let other = try StudiedModel()
        try abandonEdits(of: other) { $0.replacingOccurrences(of: "\"Anon\"", with: "\"Nobody\"") }
        try await other.post("recovery", #"{"takes": false}"#)
        try other.restart()
        #expect(await other.get()["recovery"] == .null)
        #expect(await other.get()["unsaved"] == .array([]))
    }

    @Test("Reading again by wish takes the edits back, as a step that can be undone")
    func reload() async throws {
        let model = try StudiedModel()
        try await model.perform(#"{"command": "rename", "element": "Comic", "to": "Strip"}"#)
        try await model.post("reload")
        #expect(await model.paths("entity") == ["Author", "Book", "Comic"])
        try await model.post("undo")
        #expect(await model.paths("entity") == ["Author", "Book", "Strip"])
    }
}
