import CoreData
import CoreDataTool
import Foundation

/// An operation on a store, from outside or through a coordinator, that may be stopped at any system call.
struct Operation: Sendable {
    let name: String
    /// The types of stores that the operation is run on, or those that it leads to, where the two differ.
    let types: [String]
    /// The file at the store's place before the operation.
    var start = Start.nothing
    /// Whether the stores have a history, and keep it.
    var keepsHistory = false
    /// Whether there is another store, to take content from.
    var hasSource = false
    /// The version of a third store, which is there for the model that it carries; nil for none.
    var carrier: Items.Version?
    /// Prepares the operation, and returns the work to be stopped.
    let begin: @Sendable (Place) throws -> () throws -> Void
    /// Whether the operation would fail, or lead to something else, if it was repeated.
    var isOnce = false
    /// The version of the model that the store is used with afterwards.
    var version = Items.Version.first
    /// The type of the store at the place afterwards; that of the operation if nil.
    var resultType: String?
    /// Whether the operation can run beside others, since it does not rely on what it saw before it began.
    var isContested = true
    /// Further contents that the store may have between the steps of the operation, without the type.
    var between: [String] = []

    static let all = ["sqlite", "xml", "binary"]

    static func storeType(_ name: String) -> String {
        switch name {
        case "xml": NSXMLStoreType
        case "binary": NSBinaryStoreType
        default: NSSQLiteStoreType
        }
    }
}

extension Operation {
    enum Start: Hashable {
        case nothing
        case emptyFile
        /// A database without tables, with pages of another size.
        case emptyDatabase
        case store
        /// A store with many items.
        case large
        /// A store of another type.
        case other(String)
    }

    /// Returns the place of the operation in a folder.
    func place(_ folder: URL, _ type: String) -> Place {
        Place(folder: folder, type: Self.storeType(type), keepsHistory: keepsHistory)
    }

    /// Returns the file at the store's place before the operation, for a type of store.
    func start(_ type: String) -> Start { start == .store ? .other(type) : start }

    /// Makes the stores that exist before the operation.
    func prepare(_ place: Place) throws {
        if hasSource {
            try place.make(
                place.source, ["new", "newer", "newest"], photos: ["new", "newest"], hasMany: start == .large)
        }
        if let carrier { try place.make(place.carrier, [], carrier, type: NSSQLiteStoreType) }
        switch start {
        case .nothing: break
        case .emptyFile: try Data().write(to: place.store)
        case .emptyDatabase: try Data(Self.emptyDatabase).write(to: place.store)
        case .store: try place.make(place.store, ["old", "older"], photos: ["old"])
        case .large: try place.make(place.store, ["old", "older"], photos: ["old"], hasMany: true)
        case .other(let type):
            try place.make(place.store, ["old", "older"], photos: ["old"], type: Self.storeType(type))
        }
    }

    /// One page of 1,024 bytes.
    private static var emptyDatabase: [UInt8] {
        var page = [UInt8](repeating: 0, count: 1024)
        page.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
        page.replaceSubrange(16..<24, with: [4, 0, 1, 1, 0, 64, 32, 32])
        page.replaceSubrange(28..<32, with: [0, 0, 0, 1])
        page.replaceSubrange(44..<48, with: [0, 0, 0, 4])
        page.replaceSubrange(56..<60, with: [0, 0, 0, 1])
        page.replaceSubrange(100..<108, with: [13, 0, 0, 0, 0, 4, 0, 0])
        return page
    }

    static let catalog: [Operation] = births + changes + batches + moves + migrations + tools

    private static func opening(
        _ version: Items.Version = .first, _ options: String...
    ) -> @Sendable (Place) throws -> () throws -> Void {
        { place in
            {
                let pairs = options.map { ($0 as AnyHashable, true as NSNumber as Any) }
                var options = Dictionary(uniqueKeysWithValues: pairs)
                if version != .first { options[PersistentStoreMigrationSourceModelKey] = Items.model(.first) }
                try place.close(try place.open(place.store, version, options))
            }
        }
    }

    // MARK: Births

    private static let births: [Operation] = [
        Operation(name: "create", types: all, begin: opening()),
        Operation(
            name: "create in an empty file", types: all, start: .emptyFile, begin: opening()),
        Operation(
            name: "create in an empty database", types: ["sqlite"], start: .emptyDatabase, begin: opening()),
        Operation(
            name: "create with history", types: ["sqlite"],
            begin: opening(.first, NSPersistentHistoryTrackingKey)),
        Operation(
            name: "create and save", types: all,
            begin: { place in
                {
                    let context = try place.open(place.store)
                    if try context.performAndWait({ try Items.find(["new"], in: context).isEmpty }) {
                        try Items.insert(["new"], photos: ["new"], into: context)
                    }
                    try place.close(context)
                }
            }, isContested: false, between: ["first"]),
    ]

    // MARK: Changes

    private static let saving: @Sendable (Place) throws -> () throws -> Void = { place in
        let context = try place.open(place.store)
        return {
            try context.performAndWait {
                for item in try Items.find(["old", "saved"], in: context) { context.delete(item) }
            }
            try Items.insert(["saved"], photos: ["saved"], into: context)
            try place.close(context)
        }
    }

    private static let changes: [Operation] = [
        Operation(name: "open", types: all, start: .store, begin: opening()),
        Operation(
            name: "add a history", types: ["sqlite"], start: .store,
            begin: opening(.first, NSPersistentHistoryTrackingKey)),
        Operation(
            name: "save", types: all, start: .store,
            begin: saving, isContested: false),
        Operation(
            name: "save with history", types: ["sqlite"], start: .store, keepsHistory: true,
            begin: saving, isOnce: true, isContested: false),
        Operation(
            name: "save many items", types: ["sqlite"], start: .store,
            begin: { place in
                let context = try place.open(place.store)
                return {
                    try Items.insertMany(into: context)
                    try place.close(context)
                }
            }, isOnce: true, isContested: false),
        Operation(
            name: "set metadata", types: all, start: .store,
            begin: { place in
                {
                    let type = NSPersistentStore.StoreType(rawValue: place.type)
                    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                        type: type, at: place.store)
                    metadata["note"] = "noted"
                    try NSPersistentStoreCoordinator.setMetadata(metadata, type: type, at: place.store)
                }
            }),
        Operation(
            name: "destroy", types: all, start: .store,
            begin: { place in
                {
                    try NSPersistentStoreCoordinator(managedObjectModel: Items.model(.first))
                        .destroyPersistentStore(at: place.store, ofType: place.type, options: place.options)
                }
            }),
        Operation(
            name: "destroy nothing", types: all,
            begin: { place in
                {
                    try NSPersistentStoreCoordinator(managedObjectModel: Items.model(.first))
                        .destroyPersistentStore(at: place.store, ofType: place.type, options: place.options)
                }
            }),
    ]

    // MARK: Batches

    private static func batch(
        _ name: String, _ request: @escaping @Sendable () -> NSPersistentStoreRequest
    ) -> Operation {
        Operation(
            name: "\(name) a batch", types: ["sqlite"], start: .large, keepsHistory: true,
            begin: { place in
                let context = try place.open(place.store)
                return {
                    try context.performAndWait { _ = try context.execute(request()) }
                    try place.close(context)
                }
            }, isOnce: true, isContested: false)
    }

    private static let batches: [Operation] = [
        batch("insert") { NSBatchInsertRequest(entityName: "Item", objects: Items.many) },
        batch("update") {
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["name": "updated"]
            return update
        },
        batch("delete") {
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            fetch.predicate = NSPredicate(format: "name != 'older'")
            return NSBatchDeleteRequest(fetchRequest: fetch)
        },
    ]

    // MARK: Moves

    private static func moving(_ from: String?, _ to: String?)
        -> @Sendable (Place) throws -> () throws -> Void
    {
        { place in
            let context = try place.open(place.source, type: from.map(storeType))
            return {
                let coordinator = context.persistentStoreCoordinator!
                let moved = try coordinator.migratePersistentStore(
                    coordinator.persistentStores[0], to: place.store, options: place.options,
                    withType: to.map(storeType) ?? place.type)
                try coordinator.remove(moved)
            }
        }
    }

    private static let replacing: @Sendable (Place) throws -> () throws -> Void = { place in
        {
            try NSPersistentStoreCoordinator(managedObjectModel: Items.model(.first)).replacePersistentStore(
                at: place.store, destinationOptions: place.options, withPersistentStoreFrom: place.source,
                sourceOptions: place.options, ofType: place.type)
        }
    }

    /// Here the type of an operation is that of the source.
    private static func conversion(to type: String, over former: String? = nil) -> Operation {
        Operation(
            name: "convert to \(type)" + (former.map { " over \($0)" } ?? ""),
            types: former == nil ? all.filter { $0 != type } : [former == "sqlite" ? type : "sqlite"],
            start: former.map { .other($0) } ?? .nothing, hasSource: true, begin: moving(nil, type),
            resultType: storeType(type))
    }

    private static let moves: [Operation] =
        [
            Operation(name: "move", types: all, hasSource: true, begin: moving(nil, nil)),
            Operation(
                name: "move over another", types: all, start: .store, hasSource: true, begin: moving(nil, nil)
            ),
            Operation(name: "put", types: all, hasSource: true, begin: replacing),
            Operation(name: "replace", types: all, start: .store, hasSource: true, begin: replacing),
            Operation(
                name: "replace a large store", types: ["sqlite"], start: .large, hasSource: true,
                begin: replacing, isContested: false),
        ] + all.map { conversion(to: $0) } + [
            conversion(to: "sqlite", over: "xml"), conversion(to: "xml", over: "sqlite"),
            conversion(to: "binary", over: "xml"),
        ]

    // MARK: Migrations

    private static func migrating(to version: Items.Version) -> @Sendable (Place) throws -> () throws -> Void
    {
        opening(
            version, NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption)
    }

    private static let migrations: [Operation] = [
        Operation(
            name: "migrate", types: all, start: .store, begin: migrating(to: .second), version: .second),
        Operation(
            name: "migrate by a copy", types: ["sqlite"], start: .store, begin: migrating(to: .third),
            version: .third),
        Operation(
            name: "migrate a large store", types: ["sqlite"], start: .large,
            begin: migrating(to: .second), version: .second, isContested: false),
        Operation(
            name: "migrate a large store by a copy", types: ["sqlite"], start: .large,
            begin: migrating(to: .third), version: .third, isContested: false),
        Operation(
            name: "migrate with a backup", types: all, start: .store,
            begin: { place in
                {
                    let backup = [PersistentStoreMigrationBackupKey: place.backup]
                    try place.close(
                        try place.open(place.store, .second, Place.migrating.merging(backup) { $1 }))
                }
            }, version: .second),
        Operation(
            name: "migrate in stages", types: all, start: .store,
            begin: { place in
                {
                    let stages = [NSPersistentStoreStagedMigrationManagerOptionKey: Stages.manager()]
                    try place.close(
                        try place.open(place.store, .third, Place.migrating.merging(stages) { $1 }))
                }
            }, version: .third, between: Stages.between),
        Operation(
            name: "migrate by a manager", types: all, hasSource: true,
            begin: { place in
                {
                    let (former, latter) = (Items.model(.first), Items.model(.second))
                    let mapping = try NSMappingModel.inferredMappingModel(
                        forSourceModel: former, destinationModel: latter)
                    let manager = NSMigrationManager(sourceModel: former, destinationModel: latter)
                    manager.usesStoreSpecificMigrationManager = false
                    try manager.migrateStore(
                        from: place.source, sourceType: place.type, options: place.options, with: mapping,
                        toDestinationURL: place.store, destinationType: place.type,
                        destinationOptions: place.options)
                }
            }, isOnce: true, version: .second),
        Operation(
            name: "migrate itself by a manager", types: ["sqlite"], hasSource: true,
            begin: { place in
                {
                    let (former, latter) = (Items.model(.first), Items.model(.second))
                    let mapping = try NSMappingModel.inferredMappingModel(
                        forSourceModel: former, destinationModel: latter)
                    try NSMigrationManager(sourceModel: former, destinationModel: latter).migrateStore(
                        from: place.source, sourceType: place.type, options: place.options, with: mapping,
                        toDestinationURL: place.store, destinationType: place.type,
                        destinationOptions: place.options)
                }
            }, isOnce: true, version: .second),
    ]

    // MARK: The tool

    // The tool waits for others as long as stores do by default, which would be too long in contests.
    private static let tools: [Operation] = [
        Operation(
            name: "tool convert", types: ["xml", "binary"],
            hasSource: true, carrier: .first,
            begin: { place in
                {
                    try StoreConversion(try OpenedStore(at: place.source, model: place.carrier))
                        .convert(to: place.store, as: .sqlite)
                }
            }, isOnce: true, resultType: NSSQLiteStoreType, isContested: false),
        Operation(
            name: "tool repair", types: ["sqlite"], hasSource: true,
            begin: { place in
                {
                    let opened = try OpenedStore(at: place.source)
                    try StoreRepair(try StoreCheck(opened).findings()).repair(opened, copyTo: place.store)
                }
            }, isOnce: true, isContested: false),
        Operation(
            name: "tool import", types: ["sqlite"], hasSource: true, begin: importing, isOnce: true,
            isContested: false),
        Operation(
            name: "tool import beside others", types: ["sqlite"], start: .store, hasSource: true,
            begin: importing, isOnce: true, isContested: false),
        Operation(
            name: "tool migrate", types: ["sqlite"], start: .store, carrier: .second,
            begin: { place in
                {
                    let model = try ModelSource(place.carrier).document(of: nil)
                    try StoreUpgrade(of: place.store, to: model).run(backup: place.backup, verifies: true)
                }
            }, version: .second, isContested: false),
    ]

    @Sendable private static func importing(_ place: Place) throws -> () throws -> Void {
        var lines: [String] = []
        try StoreExport(try OpenedStore(at: place.source)).write { lines.append($0) }
        return {
            let reader = StoreImport(into: place.store)
            for line in lines { try reader.read(line) }
            _ = try reader.finish()
        }
    }
}
