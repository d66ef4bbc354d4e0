import CoreDataModelFormat
import CoreDataSQL
package import Foundation

/// What there is to say about a store at a glance.
package struct StoreSummary: Sendable {
    package struct Entity: Sendable, Hashable {
        package let name: String
        package let number: Int64
        package let parent: String?
        package let isAbstract: Bool
        /// Rows of this very entity, without those of its subentities.
        package let rowCount: Int64
        package let attributeCount: Int?
        package let relationshipCount: Int?
        package let hash: Data?
        /// Whether the model has this version of the entity; nil without a model.
        package let isOfModel: Bool?
    }

    package struct History: Sendable, Hashable {
        package let transactionCount: Int64
        package let changeCount: Int64
        package let first: Date?
        package let last: Date?
    }

    package struct File: Sendable, Hashable {
        package let size: Int64
        package let logSize: Int64
        package let externalFileCount: Int
        package let externalSize: Int64
        package let pageSize: Int64
        package let freePageCount: Int64
        package let journalMode: String
        package let triggerCount: Int64
        package let indexCount: Int64
    }

    package let path: String
    package let metadata: StoreMetadata
    package let origin: StoreModel.Origin?
    package let modelIdentifiers: [String]
    package let file: File
    package let entities: [Entity]
    package let history: History?
}

extension StoreSummary {
    /// Reads what it says from the store. Counts every row, so it costs a walk over the tables' smallest indexes.
    package init(of store: OpenedStore) throws {
        let connection = try store.connection()
        defer { connection.close() }
        path = store.url.path
        metadata = store.metadata
        origin = store.model?.origin
        modelIdentifiers = store.model?.document.versionIdentifiers ?? []
        file = try Self.file(of: store.url, connection)
        entities = try Self.entities(of: store, connection)
        history = try Self.history(connection)
    }

    private static func file(of url: URL, _ connection: any SQLConnection) throws -> File {
        let files = StoreFiles(url)
        let external = files.externalFiles()
        return File(
            size: StoreFiles.size(of: files.database), logSize: StoreFiles.size(of: files.log),
            externalFileCount: external.count, externalSize: external.reduce(0) { $0 + $1.size },
            pageSize: try connection.number("PRAGMA page_size"),
            freePageCount: try connection.number("PRAGMA freelist_count"),
            journalMode: try connection.rows("PRAGMA journal_mode").first?.first?.text ?? "",
            triggerCount: try connection.number("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"),
            indexCount: try connection.number("SELECT COUNT(*) FROM sqlite_master WHERE type = 'index'"))
    }

    private static func entities(of store: OpenedStore, _ connection: any SQLConnection) throws -> [Entity] {
        let numbering = try EntityNumbering(reading: connection)
        var counts: [Int64: Int64] = [:]
        for root in numbering.roots {
            let table = "Z\(root.name.uppercased())"
            guard try connection.hasTable(table) else { continue }
            for row in try connection.rows("SELECT Z_ENT, COUNT(*) FROM \"\(table)\" GROUP BY Z_ENT") {
                if let number = row[0].integer { counts[number] = row[1].integer }
            }
        }
        let hashes = store.model.map { VersionHashes($0.document).byEntity }
        return numbering.entries.map { entry in
            let compiled = store.model?.compiled.entity(named: entry.name)
            return Entity(
                name: entry.name, number: entry.number, parent: numbering[entry.parent]?.name,
                isAbstract: compiled?.isAbstract ?? false, rowCount: counts[entry.number] ?? 0,
                attributeCount: compiled.map { $0.slots.count { $0.attribute != nil } },
                relationshipCount: compiled.map { $0.slots.count { $0.relationship != nil } },
                hash: store.metadata.hashes[entry.name],
                isOfModel: hashes.map { $0[entry.name] == store.metadata.hashes[entry.name] })
        }
    }

    private static func history(_ connection: any SQLConnection) throws -> History? {
        guard try connection.hasTable("ATRANSACTION"), try connection.hasTable("ACHANGE") else { return nil }
        let row = try connection.rows("SELECT COUNT(*), MIN(ZTIMESTAMP), MAX(ZTIMESTAMP) FROM ATRANSACTION")[
            0]
        return History(
            transactionCount: row[0].integer ?? 0,
            changeCount: try connection.number("SELECT COUNT(*) FROM ACHANGE"),
            first: row[1].seconds.map(Date.init(timeIntervalSinceReferenceDate:)),
            last: row[2].seconds.map(Date.init(timeIntervalSinceReferenceDate:)))
    }
}
