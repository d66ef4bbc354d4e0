import CoreDataJSON
import CoreDataStudio
import Foundation
import Testing

@Suite("Places of entities that other programs change")
struct PlaceFileTests {
    /// Writes the places of entities as another program does.
    private func write(_ text: String, of model: StudiedModel) throws {
        try Data(text.utf8).write(
            to: model.url.appendingPathComponent(".layout.json"), options: .atomic)
    }

    private func place(_ name: String, in model: StudiedModel) async -> [Double] {
        let nodes = await model.get("graph")["nodes"]?.list ?? []
        let frame = nodes.first { $0["name"]?.string == name }?["frame"]?.list ?? []
        return frame.prefix(2).map { if case .double(let number) = $0 { number } else { .nan } }
    }

    private func move(_ name: String, to x: Int, _ y: Int, in model: StudiedModel) async throws {
        let answer = try await model.perform(
            #"{"command": "place", "places": [{"entity": "\#(name)", "x": \#(x), "y": \#(y)}]}"#)
        #expect(answer.status == 200)
    }

    @Test("Places that another program saves are taken over, and can be undone")
    func takenOver() async throws {
        let model = try StudiedModel()
        try await move("Book", to: 10, 20, in: model)
        #expect(try await model.post("save").status == 200)
        try write(#"{"Library": {"Book": [300, 400], "Author": [0, 50]}}"#, of: model)
        await model.studio.look()
        #expect(await place("Book", in: model) == [300, 400])
        #expect(await place("Author", in: model) == [0, 50])
        let state = await model.get()
        #expect(state["unsaved"] == .array([]) && state["undo"]?.string == "Read again from the file")
        try await model.post("undo")
        #expect(await place("Book", in: model) == [10, 20])
        #expect(await model.get()["unsaved"]?.strings == ["Library"])
    }

    @Test("What was moved here stays, what was moved there moves, and what both moved is told")
    func merged() async throws {
        let model = try StudiedModel()
        try write(#"{"Library": {"Author": [1, 1], "Book": [2, 2], "Comic": [3, 3]}}"#, of: model)
        await model.studio.look()
        try await move("Author", to: 100, 100, in: model)
        try await move("Book", to: 200, 200, in: model)
        try write(#"{"Library": {"Author": [1, 1], "Book": [7, 7], "Comic": [9, 9]}}"#, of: model)
        await model.studio.look()
        #expect(await place("Author", in: model) == [100, 100])
        #expect(await place("Book", in: model) == [200, 200])
        #expect(await place("Comic", in: model) == [9, 9])
        let conflicts = await model.get()["conflicts"]?.list ?? []
        #expect(conflicts.count == 1)
        #expect(conflicts.first?["text"]?.string == "Book: place: ours 200, 200, theirs 7, 7, before 2, 2")
        #expect(try await model.post("save").status == 200)
        let file = try String(contentsOf: model.url.appendingPathComponent(".layout.json"), encoding: .utf8)
        for line in [#""Author": [100, 100]"#, #""Book": [200, 200]"#, #""Comic": [9, 9]"#] {
            #expect(file.contains(line))
        }
    }

    @Test("A file of places that is half written moves nothing")
    func halfWritten() async throws {
        let model = try StudiedModel()
        try await move("Book", to: 10, 20, in: model)
        #expect(try await model.post("save").status == 200)
        try write(#"{"Library": {"Book": [300,"#, of: model)
        await model.studio.look()
        #expect(await place("Book", in: model) == [10, 20])
        #expect(await model.get()["unsaved"] == .array([]))
        try write(#"{"Library": {"Book": [300, 400]}}"#, of: model)
        await model.studio.look()
        #expect(await place("Book", in: model) == [300, 400])
    }

    @Test("Reading the file again takes back moves, too")
    func reload() async throws {
        let model = try StudiedModel()
        try await move("Book", to: 10, 20, in: model)
        #expect(try await model.post("save").status == 200)
        try await move("Book", to: 90, 90, in: model)
        try await model.post("reload")
        #expect(await place("Book", in: model) == [10, 20])
        #expect(await model.get()["unsaved"] == .array([]))
    }
}
