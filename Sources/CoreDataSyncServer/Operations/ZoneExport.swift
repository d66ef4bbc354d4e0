package import CoreDataJSON
import CoreDataSyncCore

/// The content of a zone as lines of JSON (NDJSON), so that nobody is locked in: one for the zone, then one
/// an object that lives and one a pair that is there.
package struct ZoneExport {
    /// The rows that are read at once.
    private static let portion = 500

    private let database: any ServerDatabase
    private let schema: SyncSchema

    package init(_ database: any ServerDatabase) async throws {
        self.database = database
        guard let schema = try await database.read({ try ServerFacts($0).model() }) else {
            throw ServiceError.model("the server has no model, and so no objects")
        }
        self.schema = schema
    }

    /// Writes a zone as it is at one moment if nobody pushes meanwhile; otherwise each object is whole by
    /// itself.
    package func write(_ zone: ZoneName, to line: (JSONValue) throws -> Void) async throws {
        guard let entry = try await database.read({ try ZoneDirectory($0).entry(of: zone) }) else {
            throw ServiceError.missing("there is no zone \(zone)")
        }
        try line(
            .object([
                .init("zone", .string(zone.description)), .init("epoch", .integer(Int64(entry.epoch))),
                .init("sequence", .integer(Int64(entry.sequence))),
            ]))
        var last: ItemKey?
        while true {
            let (after, schema) = (last, schema)
            let rows = try await database.read { connection -> [(key: ItemKey, row: ZoneRow)] in
                guard let zone = try SQLZone(entry.number, schema: schema, on: connection) else { return [] }
                return try zone.rows(after: after, limit: Self.portion)
            }
            for (key, row) in rows {
                if let value = Self.line(key, row.state) { try line(value) }
            }
            guard rows.count == Self.portion else { return }
            last = rows.last?.key
        }
    }

    static func line(_ key: ItemKey, _ state: ItemState) -> JSONValue? {
        let values = state.registers.sorted { $0.key < $1.key }.map {
            JSONValue.Member($0.key, $0.value.value.exported)
        }
        switch key {
        case .object(let id):
            guard state.isAlive else { return nil }
            return .object([
                .init("object", .string(id.description)), .init("entity", .string(state.entity)),
                .init("values", .object(values)),
            ])
        case .pair(let name, let first, let second):
            guard state.isPresent else { return nil }
            return .object([
                .init("pair", .string(name)), .init("first", .string(first.description)),
                .init("second", .string(second.description)), .init("values", .object(values)),
            ])
        }
    }
}
