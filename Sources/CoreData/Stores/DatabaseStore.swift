import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// A store in a database, which a driver opens.
///
/// Saves write only changed rows, and rows are read when they are needed.
class DatabaseStore: NSPersistentStore, @unchecked Sendable {
    private let backend = Guarded<(any DatabaseBackend)?>(nil)
    private let metadataStorage = Guarded(HeldMetadata())
    /// The lock of threads that write metadata; readers do not wait for it.
    private let metadataWrites = Guarded(())

    /// Returns the stores of the class's driver.
    class func driver() throws -> any DatabaseStores.Type {
        throw CoreDataError.error(
            NSPersistentStoreInvalidTypeError, reason: "\(self) is of no kind of database.")
    }

    /// Returns the place of a store in the form that drivers use.
    static func place(of url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }

    /// Returns the place to open.
    func openingPlace() throws -> String { Self.place(of: url ?? .nowhere) }

    final var openBackend: (any DatabaseBackend)? { backend.withLock { $0 } }

    deinit { backend.withLock { $0 }?.close() }

    // MARK: Opening

    /// Opens the store, or makes it, and checks that the model fits.
    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        _ = SQLDebug.listener
        do {
            let opened = try openOrCreate(try openingPlace(), model, entities)
            backend.withLock { $0 = opened }
            return opened
        } catch let error as StoreError {
            throw error.nsError()
        }
    }

    private func openOrCreate(
        _ place: String, _ model: FrozenModel, _ entities: Set<EntityIndex>?
    ) throws -> any DatabaseBackend {
        let names = model.names(of: entities)
        let deadline = ContinuousClock.now + .seconds(databaseOptions.timeout)
        let driver = try Self.driver()
        while true {
            do {
                guard let stored = try driver.metadata(at: place, timeout: databaseOptions.timeout) else {
                    if mustExist { throw Self.removed(url) }
                    return try create(place, model, entities, names)
                }
                return try openExisting(place, stored, model, entities, names)
            } catch let error as StoreError {
                // Another process has made, removed or changed the store meanwhile: the next attempt finds
                // out which.
                guard case .overtaken = error.kind, ContinuousClock.now < deadline else { throw error }
            }
        }
    }

    private func openExisting(
        _ place: String, _ stored: StoredMetadata, _ model: FrozenModel, _ entities: Set<EntityIndex>?,
        _ names: Set<String>?
    ) throws -> any DatabaseBackend {
        let metadata =
            try readable(stored)
            ?? StoreMetadata(
                type: type, model: model.compiled, entityNames: names)
        try metadata.requireFit(of: model, entityNames: names, in: self)
        let opened = try Self.driver().open(
            at: place, expecting: stored, model: model.compiled, layouts: model.layouts, subset: entities,
            options: databaseOptions)
        if !stored.uuid.isEmpty { identifier = stored.uuid }
        metadataStorage.withLock { $0 = HeldMetadata(stored: metadata) }
        return opened
    }

    /// Returns the metadata; nil if it is damaged and versions are to be ignored.
    private func readable(_ stored: StoredMetadata) throws -> StoreMetadata? {
        do {
            return try StoreMetadata(plist: stored.plist)
        } catch {
            if options.isSet(NSIgnorePersistentStoreVersioningOption) { return nil }
            throw error
        }
    }

    private func create(
        _ place: String, _ model: FrozenModel, _ entities: Set<EntityIndex>?, _ names: Set<String>?
    ) throws -> any DatabaseBackend {
        let metadata = StoreMetadata(type: type, model: model.compiled, entityNames: names)
        metadataStorage.withLock { $0 = HeldMetadata(stored: metadata) }
        return try Self.driver().create(
            at: place, model: model.compiled, layouts: model.layouts, subset: entities,
            metadata: try metadata.plist(), uuid: identifier,
            modelCache: try CompiledModelWriter(model.compiled.document).modelCache(),
            options: databaseOptions)
    }

    final var databaseOptions: DatabaseOptions {
        func number(_ key: String) -> NSNumber? { options?[key] as? NSNumber }
        var result = DatabaseOptions(isReadOnly: isReadOnly)
        result.timeout = (options ?? [:]).timeout
        if let size = number(NSPersistentStoreConnectionPoolMaxSizeKey)?.intValue {
            result.connectionPoolSize = size
        }
        result.tracksHistory =
            options.isSet(NSPersistentHistoryTrackingKey)
            || options?[NSPersistentHistoryTrackingKey] is NSDictionary
        result.historyRetention = number(PersistentHistoryRetentionKey)?.doubleValue
        result.manualVacuum = options.isSet(NSSQLiteManualVacuumOption)
        result.analyze = options.isSet(NSSQLiteAnalyzeOption)
        result.leavesSaveMarks = number(PostgreSQLSaveMarksKey)?.boolValue ?? true
        let standbys = options?[PostgreSQLStandbyURLKey]
        result.standbys = (standbys as? URL)?.absoluteString ?? standbys as? String
        if let pragmas = options?[NSSQLitePragmasOption] as? NSDictionary {
            for (name, value) in pragmas { result.pragmas["\(name)"] = "\(value)" }
        }
        return result
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        backend.withLock { $0 }?.close()
    }

    // MARK: Metadata

    override var metadata: [String: Any]! {
        get { metadataStorage.withLock { $0.current.values(of: identifier) } }
        set { noteFailure { try write(metadata: newValue ?? [:]) } }
    }

    /// Writes the keys that the app changed, and keeps those that other processes have changed in the file.
    override func write(metadata new: [String: Any]) throws {
        try metadataWrites.withLock { _ in
            let held = metadataStorage.withLock { held in
                held.current = held.current.replaced(by: new)
                return held
            }
            guard let backend = openBackend else { return }
            var written = held.current
            do throws(StoreError) {
                try backend.changeMetadata { present throws(StoreError) in
                    do {
                        // Damaged metadata, which options may have let the store ignore when it was opened,
                        // is replaced.
                        let present = (try? StoreMetadata(plist: present)) ?? held.stored
                        written = present.changed(as: held.stored, to: held.current)
                        return try written.plist()
                    } catch {
                        throw StoreError(.invalidValue, "the metadata is no property list: \(error)")
                    }
                }
            } catch {
                throw error.nsError()
            }
            metadataStorage.withLock { $0 = HeldMetadata(stored: written) }
        }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        do {
            guard let stored = try driver().metadata(at: place(of: url), timeout: DatabaseOptions().timeout)
            else {
                throw CoreDataError.error(
                    CocoaError.Code.fileReadNoSuchFile.rawValue, reason: "There is no store.",
                    [filePathKey: url.path])
            }
            var values = try StoreMetadata(plist: stored.plist).values
            values[NSStoreUUIDKey] = stored.uuid
            return values
        } catch let error as StoreError {
            throw error.nsError()
        }
    }

    /// Returns the archived model that the store carries (sqlite-store §2).
    static func readModel(at url: URL) throws -> NSManagedObjectModel {
        do {
            guard let archive = try driver().modelCache(at: place(of: url)) else {
                throw CoreDataError.error(
                    CocoaError.Code.fileReadNoSuchFile.rawValue, reason: "There is no store with a model.",
                    [filePathKey: url.path])
            }
            let model = NSManagedObjectModel()
            do {
                try model.thaw(file: archive)
            } catch {
                let reason = (error as NSError).localizedFailureReason ?? "\(error)"
                throw StoreError(
                    .corrupt, "the model in the store is damaged: \(reason)", path: url.path)
            }
            return model
        } catch {
            throw translated(error)
        }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        do {
            try driver().changeMetadata(
                at: place(of: url), timeout: DatabaseOptions().timeout
            ) { found throws(StoreError) in
                do {
                    return try StoreMetadata(plist: found.plist).updated(by: metadata ?? [:]).plist()
                } catch {
                    throw error as? StoreError
                        ?? StoreError(.invalidValue, "the metadata is no property list: \(error)")
                }
            }
        } catch {
            throw translated(error)
        }
    }

    // MARK: Moving and removing

    override class func draftPlace(for url: URL, _ options: [AnyHashable: Any]) throws -> any DraftPlace {
        try driver().draft(for: place(of: url), timeout: options.timeout)
    }

    override class func publish(
        _ draft: URL, at target: URL, _ options: [AnyHashable: Any], mustBeFree: Bool = false
    ) throws {
        try driver().move(
            place(of: draft), to: place(of: target), timeout: options.timeout, mustBeFree: mustBeFree)
    }

    override class func removeFiles(at url: URL, _ options: [AnyHashable: Any]) throws {
        do {
            try driver().destroy(
                at: place(of: url), timeout: options.timeout,
                isForced: Optional(options).isSet(NSPersistentStoreForceDestroyOption))
        } catch {
            throw translated(error)
        }
    }
}

/// The metadata of an open store: the values in the file when it was last read or written, and those that the
/// app has set since. They differ only if writing failed.
private struct HeldMetadata {
    let stored: StoreMetadata
    var current: StoreMetadata

    init(stored: StoreMetadata = StoreMetadata([:])) {
        self.stored = stored
        current = stored
    }
}
