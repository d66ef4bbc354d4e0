import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// Long work on a store: a check, a repair of a copy, an export, a count of all entities.
struct StoreTask {
    private enum Kind: String {
        case check, repair, export, count
    }

    private let kind: Kind
    private let session: StoreSession
    private let body: JSONValue
    /// Whether a copy may be made beside the store.
    private let mayWriteFiles: Bool

    init(_ body: JSONValue, of session: StoreSession, mayWriteFiles: Bool) throws {
        guard let kind = body["kind"]?.string.flatMap(Kind.init) else {
            throw StoreFailures.malformed("a task is one of check, repair, export and count")
        }
        (self.kind, self.session, self.body) = (kind, session, body)
        self.mayWriteFiles = mayWriteFiles
    }

    func start(in tasks: StudioTasks) throws -> JSONValue {
        switch kind {
        case .check: return check(tasks)
        case .repair: return try repair(tasks)
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

    /// Checks the store, repairs a copy beside it, and checks that.
    private func repair(_ tasks: StudioTasks) throws -> JSONValue {
        guard mayWriteFiles else {
            throw StudioFailure(.forbidden, "the studio was started with --read-only")
        }
        let place = session.url
        guard place.isFileURL else {
            throw StudioFailure(.refused, "a store on a server cannot be copied: repair it there")
        }
        return tasks.start("Repair a copy of \(session.name)") { [session] cancellation, progress in
            let findings = try StoreCheck(session.reopened()).findings { progress($0, $1) }
            try cancellation.check()
            let repair = StoreRepair(findings)
            let copy = try place.free(" repaired")
            try repair.repair(session.reopened(), copyTo: copy)
            let left = try StoreCheck(OpenedStore(at: copy)).findings { progress($0, $1) }
            return .json(
                .object([
                    .init("copy", .string(copy.path)),
                    .init("repaired", .array(repair.plan.map { .string($0) })),
                    .init("left", .array(left.map { $0.json })),
                ]))
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
            let file = try TemporaryFile()
            var buffer = Data()
            func write(_ line: String) throws {
                buffer += Data((line + "\n").utf8)
                guard buffer.count > 64 << 10 else { return }
                try cancellation.check()
                try file.write(buffer)
                buffer = Data()
            }
            if let request {
                var specification = request.specification
                specification.properties = ["objectID"] + request.columns.map(\.name)
                try StoreFetch(specification, from: session.reopened()).write(.csv, to: write)
            } else {
                try StoreExport(session.reopened(), entities: entities).write(to: write, progress: progress)
            }
            try file.write(buffer)
            return .file(
                StudioTasks.File(
                    contents: file,
                    name: isTable ? "\(request?.entity.name ?? base).csv" : "\(base).jsonl",
                    type: isTable ? .csv : .events))
        }
    }
}
