import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Opening files from the start page")
final class OpeningTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("opening-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("root"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts a studio with new models in a folder of their own.
    private func studio(_ files: [URL] = [], isReadOnly: Bool = false) throws -> Studio {
        var options = StudioOptions(files: files, root: folder.appendingPathComponent("root"))
        options.isReadOnly = isReadOnly
        options.stateFolder = folder.appendingPathComponent("state")
        options.lookInterval = nil
        return try Studio(options)
    }

    @discardableResult
    private func ask(
        _ studio: Studio, _ method: StudioRequest.Method, _ path: String, _ body: String = "{}"
    ) async throws -> (status: Int, json: JSONValue) {
        let parts = path.split(separator: "/").map(String.init)
        let response = await studio.answer(StudioRequest(method, parts, body: try JSONParser.parse(body)))
        guard case .json(let json) = response.body else { return (response.status, .null) }
        return (response.status, json)
    }

    private func newModel(_ studio: Studio, _ name: String) async throws -> Int {
        try await ask(studio, .post, "models", #"{"name": "\#(name)"}"#).status
    }

    @Test("Of several files, those that cannot be opened are named, and the others opened")
    func unreadableFiles() async throws {
        let good = folder.appendingPathComponent("root/Shop.xcdatamodeld")
        _ = try await newModel(try studio(), "Shop")
        let bad = folder.appendingPathComponent("Broken.xcdatamodeld")
        let missing = folder.appendingPathComponent("none.sqlite")
        #expect(throws: (any Error).self) { try studio([bad]) }
        #expect(throws: (any Error).self) { try studio([bad, missing]) }
        let opened = try studio([bad, good, missing])
        #expect(opened.failures.count == 2)
        #expect(zip(opened.failures, [bad, missing]).allSatisfy { $0.contains($1.lastPathComponent) })
        let documents = try await ask(opened, .get, "documents").json
        #expect(documents["models"]?.list?.map { $0["name"]?.string } == ["Shop"])
        #expect(documents["failures"]?.list?.map(\.string) == opened.failures)
        #expect(try await ask(opened, .get, "recent").json == .array([]))
    }

    @Test("A new model is made below the root, opened, and offered the next time")
    func newModels() async throws {
        let first = try studio()
        let made = try await ask(first, .post, "models", #"{"name": "Shop.xcdatamodeld"}"#)
        #expect(made.json == .object([.init("page", .string("models")), .init("id", .string("m1"))]))
        #expect(try await ask(first, .get, "models/m1").json["name"]?.string == "Shop")
        #expect(try await ask(first, .get, "recent").json == .array([]))
        let package = folder.appendingPathComponent("root/Shop.xcdatamodeld")
        #expect(
            FileManager.default.fileExists(
                atPath: package.appendingPathComponent("Shop.xcdatamodel/contents").path))

        let second = try studio()
        let recent = try await ask(second, .get, "recent").json.list ?? []
        #expect(recent.map { $0["path"]?.string } == [package.path])
        let id = try #require(recent.first?["id"]?.string)
        #expect(try await ask(second, .post, "recent/\(id)").json == made.json)
        #expect(try await ask(second, .get, "recent").json == .array([]))
        #expect(try await ask(second, .get, "documents").json["models"]?.list?.count == 1)
    }

    @Test("What a page prefers is there for the next start, and has a limit")
    func preferences() async throws {
        let first = try studio()
        let dark = #"{"name": "theme", "value": "dark"}"#
        #expect(try await ask(first, .post, "preferences", dark).status == 200)
        let large = #"{"name": "large", "value": "\#(String(repeating: "x", count: 300_000))"}"#
        #expect(try await ask(first, .post, "preferences", large).status == 413)
        let kept = try await ask(studio(), .get, "documents").json["preferences"]
        #expect(kept == .object([.init("theme", .string("dark"))]))
    }

    @Test("Names that lead elsewhere or are taken make no model, nor does a studio that only reads")
    func refusedModels() async throws {
        let writing = try studio()
        for name in ["", "../Shop", "a/b", ".hidden"] { #expect(try await newModel(writing, name) == 422) }
        #expect(try await newModel(writing, "Shop") == 200)
        #expect(try await newModel(writing, "Shop") == 422)
        #expect(try await newModel(studio(isReadOnly: true), "Other") == 403)
        let made = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("root").path)
        #expect(made == ["Shop.xcdatamodeld"])
    }

    @Test(
        "Only files that the user named are offered: the newest first, those that are there, no other by its ID"
    )
    func recentFiles() async throws {
        let names = ["One", "Two", "Three"]
        for name in names { #expect(try await newModel(studio(), name) == 200) }
        _ = try studio([folder.appendingPathComponent("root/One.xcdatamodeld")])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("root/Two.xcdatamodeld"))
        let studio = try studio()
        let recent = try await ask(studio, .get, "recent").json.list ?? []
        #expect(recent.map { $0["name"]?.string } == ["One.xcdatamodeld", "Three.xcdatamodeld"])
        #expect(recent.allSatisfy { $0["page"]?.string == "models" })
        #expect(try await ask(studio, .post, "recent/nothing").status == 404)
        let list = folder.appendingPathComponent("state/recent.json")
        let mode = try FileManager.default.attributesOfItem(atPath: list.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data("no list".utf8).write(to: list)
        #expect(try await ask(studio, .get, "recent").json == .array([]))
    }
}
