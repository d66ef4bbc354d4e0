import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The answers to requests about one store: the parts of the path behind `stores/{s}`.
struct StoreInterface: Sendable {
    let session: StoreSession
    let tasks: StudioTasks
    let mayWriteFiles: Bool

    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        let path = Array(path)
        switch (request.method, path.first) {
        case (.get, nil): return .json(session.description)
        case (_, "windows"): return try await windows(request, Array(path.dropFirst()))
        case (.get, "objects"): return try await objects(request, Array(path.dropFirst()))
        case (_, "edits"): return try await edits(request, Array(path.dropFirst()))
        case (.get, "search") where path.count == 2: return try await search(request, path[1])
        case (.get, "history") where path.count == 1: return try await history(request)
        case (.post, "count") where path.count == 1:
            return try await json { try session.count(of: entity(request.body["entity"]?.string ?? "")) }
        case (.post, "completion") where path.count == 1:
            return try await json { try completion(request.body) }
        case (.post, "statement") where path.count == 1:
            return try await json { try StatementAnswer(request.body, of: session).json() }
        case (.post, "tasks") where path.count == 1:
            let task = try StoreTask(request.body, of: session, mayWriteFiles: mayWriteFiles)
            return .json(try task.start(in: tasks))
        default: throw StudioFailure(.notFound, "a store has no \(path.joined(separator: "/"))")
        }
    }

    private func json(_ body: @escaping @Sendable () throws -> JSONValue) async throws -> StudioResponse {
        .json(try await Blocking.run(body))
    }

    private func entity(_ name: String) throws -> CompiledEntity {
        guard let entity = session.model.compiled.entity(named: name) else {
            throw StudioFailure(.notFound, "the model has no entity \"\(name)\"")
        }
        return entity
    }

    // MARK: Lists

    private func windows(_ request: StudioRequest, _ path: [String]) async throws -> StudioResponse {
        switch (request.method, path.count) {
        case (.post, 0):
            return try await json {
                try session.open(WindowRequest(request.body, in: session.model)).description()
            }
        case (.delete, 1):
            session.closeWindow(path[0])
            return .json(.null)
        case (.get, 2) where path[1] == "rows":
            let from = try number("from", request, or: 0)
            return .json(
                try await session.window(path[0]).rows(
                    from: from, count: number("count", request, or: RowWindow.firstCount)))
        case (.get, 2) where path[1] == "position":
            let window = try session.window(path[0])
            let row = try session.source.row(named: request.query["object"] ?? "")
            return .json(
                .object([
                    .init("position", window.position(of: row).map { .integer(Int64($0)) } ?? .null)
                ]))
        default: throw StudioFailure(.notFound, "a list has no \(path.joined(separator: "/"))")
        }
    }

    /// More than any store has rows, or any value bytes, so that sums of numbers stay far from overflow.
    private static let largestNumber = 1 << 40

    private func number(_ name: String, _ request: StudioRequest, or usual: Int) throws -> Int {
        guard let text = request.query[name] else { return usual }
        guard let number = Int(text), (0...Self.largestNumber).contains(number) else {
            throw StoreFailures.malformed("\(name) is no number from 0 to \(Self.largestNumber): \(text)")
        }
        return number
    }

    // MARK: Objects

    private func objects(_ request: StudioRequest, _ path: [String]) async throws -> StudioResponse {
        guard path.count >= 2 else { throw StudioFailure(.notFound, "an object is an entity and a key") }
        let asked = "\(path[0])/\(path[1])"
        let name = session.editor?.currentName(of: asked) ?? asked
        if path.count == 2 {
            return try await json {
                try session.editor?.record(name) ?? ObjectRecord(name, in: session.source).json()
            }
        }
        let key = path[2]
        if path.count == 4, path[3] == "data" {
            let range = try range(request)
            return try await Blocking.run {
                try session.editor?.data(of: key, of: name, range: range)
                    ?? ObjectRecord(name, in: session.source).data(of: key, range: range)
            }
        }
        guard path.count == 3 else { throw StoreFailures.noObject(path.joined(separator: "/")) }
        let count = try number("count", request, or: ObjectRecord.firstMembers)
        let from = try number("from", request, or: 0)
        return try await json {
            if let search = request.query["search"] {
                let destination = try relationship(key, of: path[0])
                return try found(destination, search, from: from, min(count, ObjectRecord.mostMembers))
            }
            return try session.editor?.members(of: key, of: name, from: from, count: count)
                ?? ObjectRecord(name, in: session.source).members(of: key, from: from, count: count)
        }
    }

    private func relationship(_ key: String, of name: String) throws -> CompiledEntity {
        guard let relationship = try entity(name).slot(named: key)?.relationship else {
            throw StudioFailure(.notFound, "\(name) has no relationship \(key)")
        }
        return session.model.compiled[relationship.destination]
    }

    private func found(
        _ entity: CompiledEntity, _ text: String, from: Int = 0, _ count: Int
    ) throws -> JSONValue {
        let rows = try session.source.search(entity, text, from: from, count)
        let titles = try session.source.titles(of: rows)
        return .object([
            .init(
                "members",
                .array(rows.map { StoreCell.link(session.source.name(of: $0), title: titles[$0]).json }))
        ])
    }

    private func search(_ request: StudioRequest, _ name: String) async throws -> StudioResponse {
        let count = try number("count", request, or: ObjectRecord.firstMembers)
        return try await json {
            try found(entity(name), request.query["text"] ?? "", min(count, ObjectRecord.mostMembers))
        }
    }

    /// Returns the range of bytes that a request asks for; nil for all of them.
    private func range(_ request: StudioRequest) throws -> Range<Int>? {
        guard request.query["from"] != nil || request.query["count"] != nil else { return nil }
        let from = try number("from", request, or: 0)
        return from..<from + min(try number("count", request, or: 1 << 16), 8 << 20)
    }

    // MARK: Edits

    private func edits(_ request: StudioRequest, _ path: [String]) async throws -> StudioResponse {
        guard let editor = session.editor else { throw StoreFailures.isReadOnly }
        let body = request.body
        switch (request.method, path.first) {
        case (.get, nil): return try await json { editor.pending }
        case (.post, nil): return try await json { try editor.perform(body) }
        case (.post, "undo"): return try await json { try editor.undo(seeing: body["revision"]?.integer) }
        case (.post, "redo"): return try await json { try editor.redo(seeing: body["revision"]?.integer) }
        case (.post, "discard"): return try await json { try editor.discard(body["object"]?.string) }
        case (.post, "save"): return try await json { try editor.save(body) }
        default: throw StudioFailure(.notFound, "edits have no \(path.joined(separator: "/"))")
        }
    }

    // MARK: Texts

    private func completion(_ body: JSONValue) throws -> JSONValue {
        let entity = try entity(body["entity"]?.string ?? "")
        let text = body["text"]?.string ?? ""
        try PredicateCompletion.requireShort(text)
        let caret = body["caret"]?.integer ?? text.unicodeScalars.count
        return PredicateCompletion(text, caret: caret, of: entity, in: session.model).json
    }

    private func history(_ request: StudioRequest) async throws -> StudioResponse {
        var filter = StoreHistory.Filter()
        filter.afterNumber = request.query["after"].flatMap { Int64($0) }
        filter.author = request.query["author"]
        filter.entity = request.query["entity"]
        filter.limit = try min(number("count", request, or: 200), 5000)
        let chosen = filter
        return try await json {
            guard session.facts.type == "SQLite" || session.facts.type == "PostgreSQL",
                let history = try StoreHistory(of: session.reopened(), chosen)
            else { return .null }
            return history.json
        }
    }
}
