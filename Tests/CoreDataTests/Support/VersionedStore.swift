import CoreDataModelFormat
import Foundation
import PostgreSQLTestSupport

@testable import CoreData

/// A store, of the type that tests use, that is opened with one version of a model after the other.
final class VersionedStore {
    /// The way in which a store becomes one of another version: by the options it is opened with, or by a
    /// manager with the inferred mapping.
    enum Way: String {
        case inPlace, server, copied, xml, binary

        /// The ways in which stores can be migrated here, where there may be no PostgreSQL server.
        static var allCases: [Way] { allInPlace + [.copied, .xml, .binary] }
        static var allInPlace: [Way] { TestServer.isAvailable ? [.inPlace, .server] : [.inPlace] }

        var type: String {
            switch self {
            case .inPlace, .copied: NSSQLiteStoreType
            case .server: PostgreSQLStoreType
            case .xml: NSXMLStoreType
            case .binary: NSBinaryStoreType
            }
        }

        var isInPlace: Bool { self == .inPlace || self == .server }
    }

    let folder: ScratchFolder
    let type: String
    let configuration: String?
    private(set) var url: URL
    private var isCopied = false
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var context: NSManagedObjectContext

    convenience init(
        _ sketch: String, type: String = NSPersistentStore.StoreType.tested.rawValue,
        configuration: String? = nil,
        options: [AnyHashable: Any] = [:]
    ) throws {
        try self.init(ModelSketch(sketch).model, type: type, configuration: configuration, options: options)
    }

    init(
        _ model: NSManagedObjectModel, type: String = NSPersistentStore.StoreType.tested.rawValue,
        configuration: String? = nil,
        options: [AnyHashable: Any] = [:]
    ) throws {
        folder = try ScratchFolder()
        url = try folder.place(.init(rawValue: type))
        self.type = type
        self.configuration = configuration
        (coordinator, context) = try Self.open(model, at: url, type, configuration, options)
    }

    convenience init(_ sketch: String, _ way: Way, configuration: String? = nil) throws {
        try self.init(ModelSketch(sketch).model, way, configuration: configuration)
    }

    convenience init(_ model: NSManagedObjectModel, _ way: Way, configuration: String? = nil) throws {
        try self.init(model, type: way.type, configuration: configuration)
        isCopied = !way.isInPlace
    }

    static var automatic: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
            NSInferMappingModelAutomaticallyOption: true as NSNumber,
        ]
    }

    /// The automatic options, with a count before and after.
    static var verified: [AnyHashable: Any] {
        automatic.merging([PersistentStoreMigrationVerificationKey: true as NSNumber]) { $1 }
    }

    private static func open(
        _ model: NSManagedObjectModel, at url: URL, _ type: String, _ configuration: String?,
        _ options: [AnyHashable: Any]
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
        let context = coordinator.context(.mainQueue)
        return (coordinator, context)
    }

    /// Saves, closes, and opens the file with another version, by an automatic lightweight migration unless
    /// the options request another one.
    func migrate(to sketch: String, options: [AnyHashable: Any] = automatic) throws {
        try migrate(to: ModelSketch(sketch).model, options: options)
    }

    func migrate(to model: NSManagedObjectModel, options: [AnyHashable: Any] = automatic) throws {
        if isCopied, !options.isEmpty {
            let former = coordinator.managedObjectModel
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: former, destinationModel: model)
            let isVerified = Optional(options).isSet(PersistentStoreMigrationVerificationKey)
            let evolution = try isVerified ? ModelEvolution(fromModel: former, toModel: model) : nil
            try copy(to: model, mapping, verification: evolution.map(CopyVerification.init))
        }
        try close()
        (coordinator, context) = try Self.open(model, at: url, type, configuration, options)
    }

    /// Saves, closes, makes another file by a mapping, and continues with that.
    func copy(
        to model: NSManagedObjectModel, _ mapping: NSMappingModel, by manager: NSMigrationManager? = nil,
        verification: CopyVerification? = nil
    ) throws {
        let former = coordinator.managedObjectModel
        try close()
        let objects = NSMigrationManager(sourceModel: former, destinationModel: model)
        objects.usesStoreSpecificMigrationManager = false
        let manager = manager ?? objects
        let target = try folder.place(.init(rawValue: type), "\(UUID().uuidString).sqlite")
        try manager.migrate(
            StoreLocation(url, type, nil), to: StoreLocation(target, type, nil), mapping, verification)
        url = target
        (coordinator, context) = try Self.open(model, at: url, type, configuration, [:])
    }

    func close() throws {
        if context.hasChanges { try context.save() }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, by key: String? = nil) throws -> [NSManagedObject] {
        try context.fetch(entity, format, [], sortedBy: key)
    }

    func value(_ key: String, of entity: String) throws -> [Any?] {
        try fetch(entity, by: "name").map { $0.value(forKeyPath: key) }
    }
}
