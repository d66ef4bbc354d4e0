import CoreData
import CoreDataModelFormat
package import CoreDataSQL
package import Foundation

/// An overview of a store.
package struct StoreSummary: Sendable {
    package struct Entity: Sendable, Hashable {
        package let name: String
        /// The name in the database if it is different, since a migration that renames an entity keeps the
        /// old name there.
        package var storedName: String?
        /// The entity number; nil in a store that is not a database.
        package let number: Int64?
        package let parent: String?
        package let isAbstract: Bool
        /// The number of rows of the entity, without its subentities; nil if they cannot be counted without a
        /// model.
        package let rowCount: Int64?
        package let attributeCount: Int?
        package let relationshipCount: Int?
        package let hash: Data?
        /// Whether the model has this version of the entity; nil if that is unknown, because there is no
        /// model or the metadata is damaged.
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
    }

    /// The place of the store: a path, or a URL without user and password.
    package let place: String
    package let metadata: StoreFacts
    package let origin: StoreModel.Origin?
    /// The reason why the model in the store cannot be read; nil if it can be.
    package let modelDamage: String?
    package let modelIdentifiers: [String]
    /// The sizes of the files; nil for a store on a server.
    package let file: File?
    /// The facts about the database; nil for a store that is not a database.
    package let database: DatabaseFacts?
    package let entities: [Entity]
    package let history: History?
}

extension StoreSummary {
    /// Reads the overview.
    ///
    /// It counts every row, which takes a pass over the smallest index of each table. A store that is not a
    /// database is read completely.
    package init(of store: OpenedStore) throws {
        place = store.url.place
        metadata = store.metadata
        origin = store.model?.origin
        modelDamage = store.damage.model
        modelIdentifiers = store.model?.document.versionIdentifiers ?? []
        file = store.files.map(Self.file)
        guard store.isDatabase else {
            (database, history) = (nil, nil)
            entities = try Self.countedEntities(of: store)
            return
        }
        try store.requireFiniteTables()
        let connection = try store.connection()
        defer { connection.close() }
        database = try connection.facts()
        entities = try Self.entities(of: store, connection)
        history = try Self.history(connection)
    }

    private static func file(_ files: StoreFiles) -> File {
        let external = files.externalFiles()
        return File(
            size: StoreFiles.size(of: files.database), logSize: StoreFiles.size(of: files.log),
            externalFileCount: external.count, externalSize: external.reduce(0) { $0 + $1.size })
    }

    /// Returns the entities of the model, with the numbers of their objects; without a model, the entities in
    /// the metadata.
    private static func countedEntities(of store: OpenedStore) throws -> [Entity] {
        guard let model = store.model else {
            return store.metadata.hashes.sorted { $0.key < $1.key }.map { name, hash in
                Entity(
                    name: name, number: nil, parent: nil, isAbstract: false, rowCount: nil,
                    attributeCount: nil, relationshipCount: nil, hash: hash, isOfModel: nil)
            }
        }
        return try store.reading { context in
            try model.compiled.entities.map { entity in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                request.includesSubentities = false
                return Entity(
                    name: entity.name, number: nil,
                    parent: entity.superentity.map { model.compiled[$0].name },
                    isAbstract: entity.isAbstract, rowCount: Int64(try context.count(for: request)),
                    attributeCount: entity.slots.count { $0.attribute != nil },
                    relationshipCount: entity.slots.count { $0.relationship != nil },
                    hash: store.metadata.hashes[entity.name], isOfModel: true)
            }
        }
    }

    private static func entities(of store: OpenedStore, _ connection: any InspectedConnection) throws
        -> [Entity]
    {
        let numbering = try EntityNumbering(reading: connection)
        var counts: [Int64: Int64] = [:]
        for root in numbering.roots {
            let table = NameMangling.table(root.name)
            guard try connection.hasTable(table.name) else { continue }
            for row in try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(table) GROUP BY Z_ENT") {
                guard let number = row[0].integer, let entry = numbering[number],
                    numbering.root(of: entry) == root
                else { continue }
                counts[number] = row[1].integer
            }
        }
        let hashes = store.model.map { VersionHashes($0.document).byEntity }
        // Tables that do not fit the model can still be listed.
        let schema = store.model == nil ? nil : try? store.schema(connection)
        return numbering.entries.map { entry in
            let known = schema?.entity(numbered: entry.number).map { schema!.model[$0] }
            let compiled = known ?? store.model?.compiled.entity(named: entry.name)
            let name = compiled?.name ?? entry.name
            let parent = compiled?.superentity.map { store.model!.compiled[$0].name }
            return Entity(
                name: name, storedName: name == entry.name ? nil : entry.name, number: entry.number,
                parent: parent ?? numbering[entry.parent]?.name,
                isAbstract: compiled?.isAbstract ?? false, rowCount: counts[entry.number] ?? 0,
                attributeCount: compiled.map { $0.slots.count { $0.attribute != nil } },
                relationshipCount: compiled.map { $0.slots.count { $0.relationship != nil } },
                hash: store.metadata.hashes[name],
                isOfModel: store.damage.metadata != nil
                    ? nil
                    : hashes.map { hashes in
                        hashes[name].map { $0 == store.metadata.hashes[name] } ?? false
                    })
        }
    }

    private static func history(_ connection: any InspectedConnection) throws -> History? {
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
