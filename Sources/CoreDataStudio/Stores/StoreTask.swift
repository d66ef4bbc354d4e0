import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// Long work on a store: a check, an export, a count of all entities.
struct StoreTask {
    private enum Kind: String {
        case check, export, count
    }

    private let kind: Kind
    private let session: StoreSession
    private let body: JSONValue

    init(_ body: JSONValue, of session: StoreSession) throws {
        guard let kind = body["kind"]?.string.flatMap(Kind.init) else {
            throw StoreFailures.malformed("a task is one of check, export and count")
        }
        (self.kind, self.session, self.body) = (kind, session, body)
    }

    func start(in tasks: StudioTasks) throws -> JSONValue {
        switch kind {
        case .check: return check(tasks)
        case .count: return count(tasks)
        case .export: return try export(tasks)
        }
    }

    private func check(_ tasks: StudioTasks) -> JSONValue {
        let isQuick = body["quick"] == .boolean(true)
        return tasks.start("Check \(session.name)") { [session] cancellation, progress in
            var cancelled: (any Error)?
            let findings = try StoreCheck(session.reopened(), depth: isQuick ? .quick : .full).findings {
                progress($0, $1)
                do { try cancellation.check() } catch { cancelled = error }
            }
            if let cancelled { throw cancelled }
            return .json(.array(findings.map { $0.json }))
        }
    }

    private func count(_ tasks: StudioTasks) -> JSONValue {
        tasks.start("Count \(session.name)") { [session] cancellation, progress in
            let entities = session.model.compiled.entities
            var counts: [JSONValue] = []
            for (index, entity) in entities.enumerated() {
                try cancellation.check()
                let count = try session.count(of: entity)
                counts.append(count)
                session.events.post(
                    .progress, .object([.init("store", .string(session.id)), .init("count", count)]))
                progress(index + 1, entities.count)
            }
            return .json(.array(counts))
        }
    }

    /// Writes the store as lines of JSON, or one list as CSV, into a temporary file.
    private func export(_ tasks: StudioTasks) throws -> JSONValue {
        let isTable = body["format"]?.string == "csv"
        let request = isTable ? try WindowRequest(body, in: session.model) : nil
        let entities = body["entities"]?.strings ?? []
        let base = session.url.deletingPathExtension().lastPathComponent
        return tasks.start("Export \(session.name)") { [session] cancellation, progress in
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("coredata-export-\(UUID())")
            guard
                FileManager.default.createFile(
                    atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw ToolError("\(file.path) cannot be made") }
            do {
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }
                var buffer = Data()
                func write(_ line: String) throws {
                    buffer += Data((line + "\n").utf8)
                    guard buffer.count > 64 << 10 else { return }
                    try cancellation.check()
                    try handle.write(contentsOf: buffer)
                    buffer = Data()
                }
                if let request {
                    var specification = request.specification
                    specification.properties = ["objectID"] + request.columns.map(\.name)
                    try StoreFetch(specification, from: session.reopened()).write(.csv, to: write)
                } else {
                    try StoreExport(session.reopened(), entities: entities).write(
                        to: write, progress: progress)
                }
                try handle.write(contentsOf: buffer)
            } catch {
                try? FileManager.default.removeItem(at: file)
                throw error
            }
            return .file(
                StudioTasks.File(
                    path: file, name: isTable ? "\(request?.entity.name ?? base).csv" : "\(base).jsonl",
                    type: isTable ? .csv : .events))
        }
    }
}
