import CoreData
import Foundation
import RawLoops
import RawServerLoops

/// Stores of items in schemas of a PostgreSQL database: a full one, and one that each run fills or empties.
final class ServerBench {
    let bench: Workbench
    private let url: String
    /// A name that no other run has, for the beginning of the schemas' names.
    private let name = "bench_\(UInt32.random(in: 0 ... .max))"
    private let model = Item.makeModel()

    init(_ bench: Workbench, _ url: String) {
        self.bench = bench
        self.url = url
    }

    deinit {
        for schema in ["full", "changing"] {
            guard let raw = try? open(schema) else { continue }
            // Without notices of all that goes with the schema.
            _ = raw_server_run(raw.pointer, "SET client_min_messages TO warning")
            _ = raw_server_run(raw.pointer, "DROP SCHEMA \"\(schemaName(schema))\" CASCADE")
        }
    }

    private func schemaName(_ schema: String) -> String { "\(name)_\(schema)" }

    // MARK: Stores

    /// The store with `sizes.rows` items.
    private(set) lazy var full = Result { try make("full", bench.sizes.rows) }
    /// The store that runs change.
    private(set) lazy var changing = Result { try make("changing", 0) }

    final class Store {
        let stack: Stack
        let raw: RawServer

        init(_ stack: Stack, _ raw: RawServer) {
            self.stack = stack
            self.raw = raw
        }
    }

    private func make(_ schema: String, _ rows: Int) throws -> Store {
        raw_server_leave_its_processor()
        let mark = url.contains("?") ? "&" : "?"
        guard let place = URL(string: "\(url)\(mark)schema=\(schemaName(schema))") else {
            throw BenchmarkError("\(url) is no URL")
        }
        let stack = try Stack(place, PostgreSQLStoreType, model)
        let store = Store(stack, try open(schema))
        try fill(store, rows)
        return store
    }

    private func open(_ schema: String) throws -> RawServer { try RawServer(url, schemaName(schema)) }

    /// Replaces the rows by the first `rows` items.
    func fill(_ store: Store, _ rows: Int) throws {
        guard raw_server_run(store.raw.pointer, "TRUNCATE ZITEM"),
            raw_server_copy(store.raw.pointer, bench.rawItems.start, rows),
            raw_server_run(store.raw.pointer, "VACUUM ANALYZE ZITEM")
        else { throw BenchmarkError("the rows could not be replaced") }
    }
}

/// A store on a server opened by the loops in C.
final class RawServer {
    let pointer: OpaquePointer

    init(_ url: String, _ schema: String) throws {
        guard let server = raw_server_open(url, schema) else {
            throw BenchmarkError("the schema \(schema) cannot be opened")
        }
        pointer = server
    }

    deinit { raw_server_close(pointer) }
}
