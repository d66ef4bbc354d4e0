import CoreData
import CoreDataJSON
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// A session of two devices with a server, as lines of JSON: the model, requests with their answers and times, the rows of
/// a ledger, and what there was in the end.
struct RecordedSession {
    struct Exchange {
        var milliseconds: UInt64
        var request: SyncRequest
        var response: SyncResponse
    }

    var model: SyncModel
    var exchanges: [Exchange] = []
    /// The ledger of the first device.
    var ledger = LedgerRows()
    /// What the ledger and the server had in the end.
    var numbers: [String: Int64] = [:]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Recorded")

    static func url(_ name: String) -> URL { folder.appendingPathComponent("session-\(name).jsonl") }

    /// The files, in the order of their names.
    static var all: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map(folder.appendingPathComponent)
    }
}

// MARK: Files

extension RecordedSession {
    private struct Malformed: Error {}

    init(reading url: URL) throws {
        model = SyncModel(entities: [])
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let json = try JSONParser.parse(String(line))
            if let model = json["model"] {
                self.model = try SyncModel(wire: WireValue(json: model))
            } else if let request = json["request"], let response = json["response"],
                case .integer(let time)? = json["time"]
            {
                exchanges.append(
                    Exchange(
                        milliseconds: UInt64(time), request: try SyncRequest(wire: WireValue(json: request)),
                        response: try SyncResponse(wire: WireValue(json: response))))
            } else if let table = json["table"]?.string.flatMap(LedgerTable.init),
                let key = bytes(json["key"]),
                let row = bytes(json["row"])
            {
                ledger.set(row, table, key)
            } else if case .object(let members)? = json["numbers"] {
                for member in members {
                    if case .integer(let number) = member.value { numbers[member.key] = number }
                }
            } else {
                throw Malformed()
            }
        }
    }

    private func bytes(_ json: JSONValue?) -> [UInt8]? {
        json?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    func write(to url: URL) throws {
        var lines = [JSONValue.object([.init("model", model.wire.json)])]
        lines += exchanges.map { exchange in
            .object([
                .init("time", .integer(Int64(exchange.milliseconds))),
                .init("request", exchange.request.wire.json),
                .init("response", exchange.response.wire.json),
            ])
        }
        for table in LedgerTable.allCases where table != .link {
            lines += ledger[table].sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { row in
                .object([
                    .init("table", .string(table.rawValue)),
                    .init("key", .string(Data(row.key).base64EncodedString())),
                    .init("row", .string(Data(row.bytes).base64EncodedString())),
                ])
            }
        }
        let members = numbers.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer($0.value)) }
        lines.append(.object([.init("numbers", .object(members))]))
        try Data((lines.map(\.line).joined(separator: "\n") + "\n").utf8).write(to: url)
    }
}

// MARK: Recording

extension RecordedSession {
    /// Tells a story in which every kind of change, answer and issue occurs.
    static func record() async throws -> RecordedSession {
        let pair = try Pair()
        var session = RecordedSession(model: pair.server.storage.schema.model)
        pair.server.record = {
            session.exchanges.append(Exchange(milliseconds: $0, request: $1, response: $2))
        }
        let (first, second) = (pair.devices[0], pair.devices[1])
        try first.edit { context in
            let shelf = context.insert("Shelf", ["name": "s"])
            shelf.setValue(context.insert("Library", ["name": "l"]), forKey: "library")
            let tag = context.insert("Tag", ["name": "t"])
            let books = (0..<4).map { number in
                context.insert(
                    "Book",
                    [
                        "title": "b\(number)", "copies": number, "rating": 1, "latitude": 1.5,
                        "longitude": -2.0,
                        "price": NSDecimalNumber(string: "12.50"), "isLent": true,
                        "bought": Date(timeIntervalSinceReferenceDate: 1000),
                        "cover": Data([1, 2, 3]),
                        "token": UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                        "link": URL(string: "https://example.org")!,
                    ])
            }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
            books[0].setValue(NSSet(object: tag), forKey: "tags")
            books[1].setValue(books[0], forKey: "prequel")
        }
        try await pair.sync()
        func book(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
            try context.all("Book").first { $0.value(forKey: "title") as? String == title }
        }
        // A conflict, an edit that meets a deletion, two objects that become one, counters.
        for (device, title) in [(first, "first"), (second, "second")] {
            try device.edit { context in
                try book("b0", context)?.setValue(title, forKey: "title")
                let counted = try book("b1", context)
                counted?.setValue((counted?.value(forKey: "copies") as? Int ?? 0) + 2, forKey: "copies")
                _ = context.insert("Tag", ["name": "both"])
            }
        }
        try first.edit { context in try book("b2", context).map(context.delete) }
        try second.edit { context in try book("b2", context)?.setValue("met", forKey: "isbn") }
        try await pair.sync()
        try first.move("b3", to: 0)
        try await pair.sync()
        // The server is restored, and edits wait.
        pair.server.server.beginEpoch(&pair.server.storage, after: pair.server.storage.header.epoch)
        try await pair.sync()
        pair.server.isReachable = false
        try first.edit { context in try book("b3", context)?.setValue("unsent", forKey: "title") }
        try await first.sync()
        session.ledger = try first.ledgerRows()
        session.numbers = [
            "sequence": Int64(pair.server.storage.header.sequence),
            "items": Int64(pair.server.storage.rows.count),
            "digest": Int64(bitPattern: pair.server.storage.header.digest.whole),
            "pending": Int64(first.engine!.pendingCount), "issues": Int64(first.engine!.ledger.issues.count),
            "entries": Int64(first.engine!.ledger.keys.count),
            "ledger": Int64(bitPattern: first.engine!.ledger.digest.whole),
        ]
        pair.server.record = nil
        return session
    }
}
