import CoreDataJSON
import Foundation
import Testing

@Suite("Completion of a model's predicates")
struct ModelCompletionTests {
    /// Returns what the studio answers for the predicate of an element, with the caret at the end.
    private func completion(_ text: String, of name: String, in model: StudiedModel) async throws -> JSONValue
    {
        let elements = await model.get()["elements"]?.list ?? []
        let element = elements.first { $0["name"]?.string == name && $0["kind"]?.string != "entity" }
        let id = try #require(element?["id"]?.number)
        let body = JSONValue.object([
            .init("element", .integer(Int64(id))), .init("text", .string(text)),
            .init("caret", .integer(Int64(text.unicodeScalars.count))),
        ])
        let answer = try await model.post("completion", body.line)
        #expect(answer.status == 200)
        return answer.json
    }

    private func texts(_ answer: JSONValue) -> [String] {
        (answer["items"]?.list ?? []).compactMap { $0["text"]?.string }
    }

    private static let additions = """
        {"command": "add", "element": {"kind": "fetchRequest", "name": "Thick", "set": {"entity": "Book"}}},
        {"command": "add", "to": "Author",
            "element": {"kind": "fetchedProperty", "name": "rivals", "set": {"entity": "Author"}}},
        {"command": "add", "to": "Book",
            "element": {"kind": "index", "name": "byPages", "set": {"elements": ["pages"]}}}
        """

    @Test(
        "A fetch request completes its entity, a fetched property its own and variables, an index its owner",
        arguments: [
            ("Thick", "author.na", "author.name"), ("rivals", "bo", "born"),
            ("rivals", "born > $", "$FETCH_SOURCE"), ("byPages", "pag", "pages"),
            ("Thick", "pages BE", "BEGINSWITH[cd]"),
        ])
    func items(_ name: String, _ text: String, _ expected: String) async throws {
        let model = try StudiedModel()
        #expect(try await model.perform(Self.additions).status == 200)
        #expect(texts(try await completion(text, of: name, in: model)).contains(expected))
    }

    @Test("Keys that the entity does not have are mistakes, those of a fetched property's source are none")
    func mistakes() async throws {
        let model = try StudiedModel()
        try await model.perform(Self.additions)
        let wrong = try await completion("pages > 3 AND autor == nil", of: "Thick", in: model)
        #expect(wrong["mistake"]?["position"]?.number == 14 && wrong["mistake"]?["length"]?.number == 5)
        let right = try await completion("name == $FETCH_SOURCE.name", of: "rivals", in: model)
        #expect(right["mistake"] == .null)
        #expect(texts(try await completion("born > $", of: "Thick", in: model)).isEmpty)
    }

    @Test("A model with errors is completed as it was before, and one with a wrong predicate as it is")
    func errors() async throws {
        let model = try StudiedModel()
        try await model.perform(Self.additions)
        try await model.perform(
            #"{"command": "set", "elements": ["fetchRequest:Thick"], "set": {"predicate": "pages >"}}"#)
        try await model.perform(#"{"command": "rename", "element": "Book.pages", "to": "leaves"}"#)
        #expect(texts(try await completion("lea", of: "Thick", in: model)) == ["leaves"])
        try await model.perform(
            """
            {"command": "add", "to": "Book",
                "element": {"kind": "relationship", "name": "lost", "set": {"destination": "Nowhere"}}}
            """)
        #expect(texts(try await completion("lea", of: "Thick", in: model)) == ["leaves"])
    }

    @Test("An element without a predicate, and none at all, are refused")
    func refusals() async throws {
        let model = try StudiedModel()
        let id = try #require(await model.get().element("Book.title")?["id"]?.number)
        let refused = try await model.post("completion", #"{"element": \#(id), "text": "a", "caret": 1}"#)
        #expect(refused.status == 422)
        let missing = try await model.post("completion", #"{"element": 99999, "text": "a", "caret": 1}"#)
        #expect(missing.status == 404)
        let long = String(repeating: "a", count: 70_000)
        let tooLong = try await model.post(
            "completion", #"{"element": \#(id), "text": "\#(long)", "caret": 1}"#)
        #expect(tooLong.status == 413)
    }
}
