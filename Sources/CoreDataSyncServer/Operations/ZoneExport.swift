package import CoreDataJSON
package import CoreDataSyncCore

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

extension SyncValue {
    /// The value as JSON. What JSON has no type for is an object with one member whose name begins with `$`.
    package var exported: JSONValue {
        func tagged(_ name: String, _ text: String) -> JSONValue { .object([.init(name, .string(text))]) }
        switch self {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .double(let bits):
            let value = Double(bitPattern: bits)
            return value.isFinite ? .double(value) : tagged("$double", "\(value)")
        case .decimal(let value): return tagged("$decimal", value.text)
        case .string(let text): return .string(text)
        // Seconds since 2001-01-01.
        case .date(let bits): return tagged("$date", "\(Double(bitPattern: bits))")
        case .data(let bytes): return WireValue.bytes(bytes).json
        case .uuid(let id): return tagged("$uuid", id.description)
        case .uri(let text): return tagged("$uri", text)
        case .reference(let id): return tagged("$object", id.description)
        case .blob(let hash, let size):
            return .object([
                .init("$blob", .string(BlobHash(hash)?.text ?? "")),
                .init("size", .integer(Int64(clamping: size))),
            ])
        case .position(let owner, let key):
            return .object([
                .init("$owner", .string(owner.description)),
                .init("key", .array(key.bytes.map { .integer(Int64($0)) })),
            ])
        case .composite(let elements):
            return .object(elements.map { .init($0.name, $0.value.exported) })
        }
    }
}
