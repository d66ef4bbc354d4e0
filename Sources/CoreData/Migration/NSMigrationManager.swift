import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// The migration of a store into another store, which makes new objects from the old ones by a mapping model.
///
/// Policies work with the manager: it has the two contexts and knows which objects were made from which. Both
/// contexts have copies of the models whose objects are plain `NSManagedObject`s. Objects are read and, in a
/// SQLite store, saved in batches of 500; the associations between objects lie in a temporary file. Between
/// SQLite stores, memory therefore does not grow with the number of rows.
///
/// Unlike Apple's: since a SQLite destination is saved in batches, its uniqueness constraints are checked
/// then and not at the end, and objects that policies keep become faults. Rules of the model are checked
/// last, on all objects.
open class NSMigrationManager: NSObject {
    private struct Status {
        var progress: Float = 0
        var cancellation: (any Error)?
    }

    final let source: MigrationSide
    final let destination: MigrationSide
    /// The destination model as it was given: with the classes of the app, which stay in the metadata of the
    /// store.
    private let givenDestinationModel: NSManagedObjectModel
    private(set) final var associations = MigrationAssociations()
    private var mapping: NSMappingModel?
    private var entityMapping: NSEntityMapping?
    private let status = Guarded(Status())
    final let watchers = MigrationWatchers()

    /// Makes a manager for migrations from one model to another.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        source = MigrationSide(sourceModel)
        destination = MigrationSide(destinationModel)
        givenDestinationModel = destinationModel
        super.init()
    }

    // MARK: Migrating

    /// Migrates a store into another place, on the calling thread.
    ///
    /// The source stays as it is. If it has a write-ahead log, its state at the beginning is read, whatever
    /// other connections write meanwhile. The objects are added to those that the destination has; a
    /// destination that does not exist is made, and removed again if the migration fails.
    ///
    /// - Parameters:
    ///   - sourceURL: The place of the store to be read.
    ///   - sStoreType: Its type.
    ///   - sOptions: The options to open it with.
    ///   - mappings: The mapping model.
    ///   - dURL: The place of the store to be written.
    ///   - dStoreType: Its type.
    ///   - dOptions: The options to open it with.
    /// - Throws: In `NSCocoaErrorDomain`: 134140 (`NSMigrationMissingMappingModelError`) without a mapping
    ///   model; 134150 (`NSMigrationManagerSourceStoreError`) or 134160
    ///   (`NSMigrationManagerDestinationStoreError`) where a store cannot be opened, read or written; 134110
    ///   (`NSMigrationError`) for a mapping that does not fit and for values that the destination cannot
    ///   have, 134111 (`NSMigrationConstraintViolationError`) for values that several objects share, both
    ///   with "entity" and "attribute"; 134170 (`NSEntityMigrationPolicyError`) where a policy throws; the
    ///   unchanged error of a cancellation. The cause is the underlying error.
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
            StoreLocation(sourceURL, sStoreType, sOptions), to: StoreLocation(dURL, dStoreType, dOptions),
            mappings)
    }

    /// Migrates a store into another place, with store types in Swift's spelling.
    ///
    /// - Throws: The errors of the overload with strings.
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

    /// Whether a SQLite store may be copied and the copy migrated in place, if the mapping is the inferred
    /// one and nothing is at the destination.
    ///
    /// That keeps the store's identifier, its history and the keys of its rows, and takes a fraction of the
    /// time; the contexts then have no objects, and the progress goes from 0 to 1 at once. A subclass of the
    /// manager always goes through its policies.
    ///
    /// Unlike Apple's: Apple's documentation does not say which stores have a migration of their own.
    open var usesStoreSpecificMigrationManager = true

    /// Forgets the associations of a migration, so that the manager can be used again.
    ///
    /// Every migration begins with a reset, but keeps a cancellation that came before it.
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

    /// Ends the migration before the next object, from any thread, and has it throw the error.
    ///
    /// Without a migration under way, the next one ends before it begins, unless the manager is reset.
    open func cancelMigrationWithError(_ error: any Error) {
        status.withLock { $0.cancellation = error }
    }

    // MARK: Models and contexts

    /// The mapping model of the migration under way; an empty one before.
    open var mappingModel: NSMappingModel { mapping ?? NSMappingModel() }
    /// A copy of the model of the source, with plain classes.
    open var sourceModel: NSManagedObjectModel { source.model }
    /// A copy of the model of the destination, with plain classes.
    open var destinationModel: NSManagedObjectModel { destination.model }
    /// The context to read the source from.
    ///
    /// Changes in it are lost.
    open var sourceContext: NSManagedObjectContext { source.context }
    /// The context in which the new objects are made.
    ///
    /// Only the manager saves it.
    open var destinationContext: NSManagedObjectContext { destination.context }
    /// Values that policies pass to each other.
    open var userInfo: [AnyHashable: Any]?

    /// Returns the entity of the source model that a mapping names.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        source.entity(named: mEntity.sourceEntityName)
    }

    /// Returns the entity of the destination model that a mapping names.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        destination.entity(named: mEntity.destinationEntityName)
    }

    /// The entity mapping that is carried out; an empty one while none is.
    ///
    /// Unlike Apple's: it is observed by `observe(_:options:changeHandler:)` alone.
    open var currentEntityMapping: NSEntityMapping { entityMapping ?? NSEntityMapping() }

    /// The progress of the migration from 0 to 1; each entity mapping counts the same in each of the three
    /// passes.
    ///
    /// It may be read on any thread. Unlike Apple's: it grows only where objects are made, and is observed by
    /// `observe(_:options:changeHandler:)` alone; `Progress.current()` does not grow.
    open var migrationProgress: Float { status.withLock { $0.progress } }

    // MARK: Associations

    /// Associates an object with the source object from which it was made, so that relationships find it.
    ///
    /// An object may be made from several source objects, and several from one.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations.add(
            source.reference(of: sourceInstance), destination.keptReference(of: destinationInstance),
            entityMapping.name ?? "")
    }

    /// Returns the objects that a mapping has made from source objects, as faults.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the entity mapping.
    ///   - sourceInstances: The source objects; nil for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        let references =
            sourceInstances.map { objects in
                objects.flatMap { associations.destinations(of: source.reference(of: $0), mappingName) }
            } ?? associations.made(by: mappingName)
        return destination.faults(references)
    }

    /// Returns the source objects from which a mapping has made objects, as faults.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the entity mapping.
    ///   - destinationInstances: The objects made; nil for all.
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
    /// Returns the objects that any mappings have made from source objects, in the order of the source
    /// objects.
    final func destinationInstances(of objects: [NSManagedObject]) -> [NSManagedObject] {
        destination.faults(objects.flatMap { associations.destinations(of: source.reference(of: $0)) })
    }

    final func followPermanentReferences() {
        for (former, latter) in destination.takeRenamed() { associations.rename(former, to: latter) }
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
        _ from: StoreLocation, to: StoreLocation, _ mapping: NSMappingModel,
        _ verification: CopyVerification? = nil
    ) throws {
        guard !from.url.isSamePlace(as: to.url) else {
            throw MigrationFailure.error("a store cannot be migrated onto itself: name another destination")
        }
        forgetMigration()
        // A cancellation that comes after the end is for the next migration.
        defer { status.withLock { $0.cancellation = nil } }
        try requireNotCancelled()
        // If the destination is free, the new store is made elsewhere and moved into place as a whole.
        let made: StoreDraft?
        do {
            made = try to.isFileBased && to.isFree() ? StoreDraft(ofType: to.type, for: to.url) : nil
        } catch {
            throw MigrationFailure.destination(to.url, error)
        }
        guard let draft = made else { return try run(from, to: to, mapping, verification) }
        var location = to
        location.url = draft.url
        if try !migrateStoreItself(from, to: location, mapping, givenDestinationModel) {
            try run(from, to: location, mapping, verification)
        }
        do {
            if try !draft.publishIfFree(options: to.options) {
                let path = to.url.path
                throw StoreError(.overtaken, "another process has made a store there meanwhile", path: path)
            }
        } catch {
            throw MigrationFailure.destination(to.url, translated(error))
        }
        report(1)
    }

    private final func run(
        _ from: StoreLocation, to: StoreLocation, _ mapping: NSMappingModel, _ verification: CopyVerification?
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
            try carryMetadata(to)
            report(1)
        } catch {
            // A draft is removed with its folder.
            if isNew, !to.isFileBased { try? StoreTypes.storeClass(to.type).removeStore(at: to.url) }
            throw error
        }
    }

    private final func open(_ from: StoreLocation, _ to: StoreLocation, isNew: Bool) throws {
        var from = from
        let hashes = from.metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
        from.entityNames = from.entityNames ?? hashes.map { Set($0.keys) }
        do {
            guard from.url.mayHaveStore else {
                throw StoreError(.fileMissing, "There is no store.", path: from.url.path)
            }
            try source.open(from, isReadOnly: true)
            source.pin()
        } catch {
            throw MigrationFailure.source(from.url, error)
        }
        do {
            if isNew, to.isWrittenPiecewise {
                // The store carries a copy of the model, which has to be the app's.
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: givenDestinationModel)
                try coordinator.baseRemove(try coordinator.open(to))
            }
            try destination.open(to, isReadOnly: false)
        } catch {
            throw MigrationFailure.destination(to.url, error)
        }
    }

    /// Copies the metadata that the app has added.
    private final func carryMetadata(_ to: StoreLocation) throws {
        guard let store = destination.store, let former = source.store?.metadata else { return }
        let own = store.metadata ?? [:]
        var merged = StoreMetadata(own.merging(former) { own, _ in own })
        // A copy that takes the place of the store has its identifier, but other keys.
        if to.identifier != nil { merged.noteNewKeys() }
        if let stage = to.unfinishedStage { merged.unfinishedStage = stage }
        if merged.values.count > own.count { try store.write(metadata: merged.values) }
    }
}
