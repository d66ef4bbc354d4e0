import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation

/// A page without a browser: it asks the studio and reads its answers.
final class StudioClient: Sendable {
    let studio: Studio
    /// Keeps the files as long as they are open.
    private let files: ShopStore

    init(_ studio: Studio, on files: ShopStore) {
        (self.studio, self.files) = (studio, files)
    }

    deinit {
        studio.close()
    }

    func response(
        _ method: StudioRequest.Method, _ path: String, query: [String: String] = [:],
        _ body: JSONValue = .null
    ) async -> StudioResponse {
        await studio.answer(
            StudioRequest(method, path.split(separator: "/").map(String.init), query: query, body: body))
    }

    func get(_ path: String, _ query: [String: String] = [:]) async throws -> JSONValue {
        try json(await response(.get, path, query: query))
    }

    func post(_ path: String, _ body: JSONValue = .object([])) async throws -> JSONValue {
        try json(await response(.post, path, body))
    }

    /// Sends a body that is written as JSON.
    func post(_ path: String, _ body: String) async throws -> JSONValue {
        try await post(path, JSONParser.parse(body))
    }

    func delete(_ path: String) async throws { _ = try json(await response(.delete, path)) }

    /// An answer that is not the one of success.
    struct Failure: Error {
        let status: Int
        let body: JSONValue

        var message: String { body["error"]?.string ?? "" }
    }

    private func json(_ response: StudioResponse) throws -> JSONValue {
        guard case .json(let value) = response.body else {
            throw Failure(status: response.status, body: .null)
        }
        guard response.status == 200 else { throw Failure(status: response.status, body: value) }
        return value
    }

    /// Waits for an event that meets a condition, among those that happened and those to come.
    func event(_ name: Event.Name, _ isMeant: (JSONValue) -> Bool = { _ in true }) async throws -> JSONValue {
        for try await line in studio.events.stream(after: 0) {
            let event = try JSONParser.parse(line)
            let data = event["data"] ?? .null
            if event["name"]?.string == name.rawValue, isMeant(data) { return data }
        }
        throw Failure(status: 0, body: .null)
    }
}

extension JSONValue {
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var whole: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

    /// The value at a path of keys and positions, such as `rows.0.1`.
    func at(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(self) { value, key in
            if let position = Int(key), case .array(let elements) = value {
                return elements.indices.contains(position) ? elements[position] : .null
            }
            return value[String(key)] ?? .null
        }
    }
}
