import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// Migrates a store by making new objects of the old ones in another store, as a mapping model says.
///
/// Policies work with the manager: it has the two contexts and knows what has become of which object. Both
/// contexts have copies of the models whose objects are plain `NSManagedObject`s. Objects are read and, in a
/// SQLite store, saved in batches, and what became of which object lies in a temporary file: between SQLite
/// stores, memory does not grow with the rows.
///
/// The class body is what subclasses override; expressions are answered in `+Expressions`.
open class NSMigrationManager: NSObject {
    private struct Status {
        var progress: Float = 0
        var cancellation: (any Error)?
    }

    final let source: MigrationSide
    final let destination: MigrationSide
    /// The destination as it was given: with the classes of the app, which stay in the metadata of the store.
    private let givenDestinationModel: NSManagedObjectModel
    private(set) final var associations = MigrationAssociations()
    private var mapping: NSMappingModel?
    private var entityMapping: NSEntityMapping?
    private let status = Guarded(Status())
    final let watchers = MigrationWatchers()

    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        source = MigrationSide(sourceModel)
        destination = MigrationSide(destinationModel)
        givenDestinationModel = destinationModel
        super.init()
    }

    // MARK: Migrating

    /// Migrates a store. The source stays as it is, and is read as it is at the beginning if it has a
    /// write-ahead log, whatever is written to it meanwhile; what is made comes into the destination, which
    /// is made if it is not there, beside what it has. A destination that was made is removed again if the
    /// migration fails.
    ///
    /// - Throws: `NSMigrationManagerSourceStoreError` or `NSMigrationManagerDestinationStoreError` where a
    ///   store cannot be opened, read or written; `NSMigrationError` for a mapping that does not fit and for
    ///   values that the destination cannot have, `NSMigrationConstraintViolationError` for those that
    ///   several objects share, both with "entity" and "attribute"; `NSEntityMigrationPolicyError` where a
    ///   policy throws; the error of a cancellation. What was behind it is the underlying error.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        guard let mappings else {
            throw CoreDataError.error(
                NSMigrationMissingMappingModelError, reason: "A migration needs a mapping model.")
        }
        try migrate(
            StorePlace(sourceURL, sStoreType, sOptions), to: StorePlace(dURL, dStoreType, dOptions), mappings)
    }

    /// The same in Swift's spelling.
    public final func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
        type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }

    /// Whether a SQLite store may be migrated in a way of its own into a place where nothing is, if the
    /// mapping is the inferred one: as a copy, in place, as the automatic migration of a coordinator does it.
    /// That keeps the store's identifier, its history and the keys of its rows, and costs a fraction; the
    /// contexts have no objects then, and the progress goes from 0 to 1 at once. A subclass of the manager
    /// always goes through its policies.
    open var usesStoreSpecificMigrationManager = true

    /// Forgets what a migration has made of what, so that the manager can be used again. Every migration
    /// begins so, but for a cancellation that has come before.
    open func reset() {
        forgetMigration()
        status.withLock { $0 = Status() }
    }

    private final func forgetMigration() {
        associations = MigrationAssociations()
        mapping = nil
        entityMapping = nil
        status.withLock { $0.progress = 0 }
    }

    /// Ends the migration before the next object, from whatever thread, and has it throw the error. Without a
    /// migration under way, the next one ends before it begins, unless the manager is reset.
    open func cancelMigrationWithError(_ error: any Error) {
        status.withLock { $0.cancellation = error }
    }

    // MARK: What it works with

    /// The mapping model of the migration under way; an empty one before.
    open var mappingModel: NSMappingModel { mapping ?? NSMappingModel() }
    /// A copy of the model of the source, with plain classes.
    open var sourceModel: NSManagedObjectModel { source.model }
    /// A copy of the model of the destination, with plain classes.
    open var destinationModel: NSManagedObjectModel { destination.model }
    /// To read from. Whatever is changed in it is lost.
    open var sourceContext: NSManagedObjectContext { source.context }
    /// Saved by the manager alone.
    open var destinationContext: NSManagedObjectContext { destination.context }
    /// For what policies want to hand to each other.
    open var userInfo: [AnyHashable: Any]?

    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        source.entity(named: mEntity.sourceEntityName)
    }

    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        destination.entity(named: mEntity.destinationEntityName)
    }

    /// The entity mapping that is carried out; an empty one while none is. Can be observed.
    open var currentEntityMapping: NSEntityMapping { entityMapping ?? NSEntityMapping() }

    /// From 0 to 1; each entity mapping counts the same in each of the three passes. May be read on any
    /// thread, and observed.
    open var migrationProgress: Float { status.withLock { $0.progress } }

    // MARK: What became of what

    /// Notes that an object was made of another, so that relationships find it. An object may be made of
    /// several, and several of one.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations.add(
            source.reference(of: sourceInstance), destination.keptReference(of: destinationInstance),
            entityMapping.name ?? "")
    }

    /// What a mapping has made of some objects; of all for nil.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        let references =
            sourceInstances.map { objects in
                objects.flatMap { associations.destinations(of: source.reference(of: $0), mappingName) }
            } ?? associations.made(by: mappingName)
        return destination.faults(references)
    }

    /// What a mapping has made some objects of; all of its sources for nil.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        let references =
            destinationInstances.map { $0.map(destination.reference) } ?? associations.made(by: mappingName)
        var found = references.flatMap { associations.sources(of: $0, mappingName) }
        if found.count < references.count, destination.hasUnsaved {
            // A policy may have given them their permanent IDs meanwhile.
            followPermanentReferences()
            found = references.flatMap { associations.sources(of: $0, mappingName) }
        }
        var seen: Set<ObjectReference> = []
        return source.faults(found.filter { seen.insert($0).inserted })
    }
}

extension NSMigrationManager {
    /// What mappings have made of some objects, one after the other.
    final func destinationInstances(of objects: [NSManagedObject]) -> [NSManagedObject] {
        destination.faults(objects.flatMap { associations.destinations(of: source.reference(of: $0)) })
    }

    final func followPermanentReferences() {
        for (former, latter) in destination.settled() { associations.rename(former, to: latter) }
    }

    final func begin(_ entityMapping: NSEntityMapping) {
        guard self.entityMapping !== entityMapping else { return }
        self.entityMapping = entityMapping
        watchers.look(at: self)
    }

    final func report(_ progress: Float) {
        status.withLock { $0.progress = progress }
        watchers.look(at: self)
    }

    final func requireNotCancelled() throws {
        if let error = status.withLock({ $0.cancellation }) { throw error }
    }

    // MARK: Stores

    final func migrate(
        _ from: StorePlace, to: StorePlace, _ mapping: NSMappingModel, _ verification: CopyVerification? = nil
    ) throws {
        guard from.url.standardizedFileURL != to.url.standardizedFileURL else {
            throw MigrationFailure.error("a store cannot be migrated onto itself: name another destination")
        }
        forgetMigration()
        // Those that come once it is over are for the next one.
        defer { status.withLock { $0.cancellation = nil } }
        try requireNotCancelled()
        // Where nothing is yet, the new store comes as a whole.
        let made: StoreDraft?
        do {
            made = try to.isFileBased && to.isFree() ? StoreDraft(ofType: to.type, for: to.url) : nil
        } catch {
            throw MigrationFailure.destination(to.url, error)
        }
        guard let draft = made else { return try run(from, to: to, mapping, verification) }
        var place = to
        place.url = draft.url
        if try !migrateStoreItself(from, to: place, mapping, givenDestinationModel) {
            try run(from, to: place, mapping, verification)
        }
        do { try draft.publish(to.options) } catch { throw MigrationFailure.destination(to.url, error) }
        report(1)
    }

    private final func run(
        _ from: StorePlace, to: StorePlace, _ mapping: NSMappingModel, _ verification: CopyVerification?
    ) throws {
        self.mapping = mapping
        defer { entityMapping = nil }
        let isNew = to.metadata == nil
        do {
            defer {
                destination.close()
                source.close()
            }
            let run = try MigrationRun(self, mapping, to)
            try open(from, to, isNew: isNew)
            try run.run()
            try verification?.verify(self)
            try carryMetadata(from)
            report(1)
        } catch {
            // Where a draft is, it is gone with its folder.
            if isNew, !to.isFileBased { try? StoreTypes.storeClass(to.type).removeStore(at: to.url) }
            throw error
        }
    }

    private final func open(_ from: StorePlace, _ to: StorePlace, isNew: Bool) throws {
        var from = from
        let hashes = from.metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
        from.entityNames = from.entityNames ?? hashes.map { Set($0.keys) }
        do {
            guard FileManager.default.fileExists(atPath: from.url.path) else {
                throw StoreError(.fileMissing, "There is no store.", path: from.url.path)
            }
            try source.open(from, isReadOnly: true)
            source.pin()
        } catch {
            throw MigrationFailure.source(from.url, error)
        }
        do {
            if isNew, to.isWrittenPiecewise {
                // The model that the store carries is the app's.
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: givenDestinationModel)
                try coordinator.close(try coordinator.open(to))
            }
            try destination.open(to, isReadOnly: false)
        } catch {
            throw MigrationFailure.destination(to.url, error)
        }
    }

    /// What the app has added to the metadata goes along.
    private final func carryMetadata(_ from: StorePlace) throws {
        guard let store = destination.store, let former = source.store?.metadata else { return }
        let own = store.metadata ?? [:]
        let merged = own.merging(former) { own, _ in own }
        if merged.count > own.count { try store.write(metadata: merged) }
    }
}
