import CoreDataModelFormat
import CoreDataStore
import Foundation

extension NSPersistentStoreCoordinator {
    /// Puts everything that a store has into another one, which takes its place.
    ///
    /// - Parameter leavingOut: Called with a description of each value that cannot be read; without it such a
    ///   value is an error.
    package final func baseMigratePersistentStore(
        _ store: NSPersistentStore, to url: URL, _ options: [AnyHashable: Any], _ type: String,
        leavingOut: ((String) -> Void)? = nil
    ) throws -> NSPersistentStore {
        guard let index = index(of: store), let handle = handle(at: index) else {
            throw CoreDataError.error(
                NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.")
        }
        let storeClass = try StoreTypes.storeClass(type)
        let configuration = store.configurationName
        if !url.isNowhere, basePersistentStore(for: url) != nil {
            throw CoreDataError.error(
                NSPersistentStoreOperationError,
                reason: "A store of this coordinator lies at \(url.path) already: choose another place.",
                [filePathKey: url.path])
        }
        if storeClass == SQLiteStore.self, store is SQLiteStore, let source = store.url,
            !source.isNowhere, !url.isNowhere
        {
            // A copy of the files keeps keys, history and foreign tables, so that the objects of contexts
            // stay valid.
            try storeClass.copyFiles(from: source, to: url, options)
            let new = try open(type, configuration, url, options, inPlaceOf: handle, mustExist: true)
            return try exchange(handle, for: new)
        }
        // Read before anything is replaced: the source may have values that cannot be read.
        let content = try content(of: handle, leavingOut: leavingOut)
        let moved: NSPersistentStore
        if storeClass.isShared, !url.isNowhere {
            let draft = try StoreDraft(of: storeClass, for: url, options)
            let maker = NSPersistentStoreCoordinator(managedObjectModel: managedObjectModel)
            try maker.baseRemove(try maker.make(type, configuration, draft.url, options, content, of: handle))
            try draft.publish(options)
            moved = try baseAddPersistentStore(type, configuration, url, options, mustExist: true)
        } else {
            try storeClass.removeStore(at: url, options)
            moved = try make(type, configuration, url, options, content, of: handle)
        }
        try baseRemove(store)
        return moved
    }

    /// Makes a new store with some content; leaves no store if it fails.
    private final func make(
        _ type: String, _ configuration: String?, _ url: URL, _ options: [AnyHashable: Any],
        _ content: ChangeSet, of handle: StoreHandle
    ) throws -> NSPersistentStore {
        let made = try addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
        do {
            try fill(made, with: content, of: handle)
            return made
        } catch {
            try? baseRemove(made)
            try? Swift.type(of: made).removeStore(at: url, options)
            throw translated(error)
        }
    }

    /// Ends the exchange of two stores: calls their methods, closes the former one and announces the
    /// exchange.
    private final func exchange(_ former: StoreHandle, for store: NSPersistentStore) throws
        -> NSPersistentStore
    {
        NotificationCenter.default.announce(
            .NSPersistentStoreCoordinatorWillRemoveStore, of: former.store,
            [NSRemovedPersistentStoresKey: [former.store]])
        former.store.willRemove(from: self)
        store.didAdd(to: self)
        former.backend.close()
        former.store.persistentStoreCoordinator = nil
        announceStores([
            NSAddedPersistentStoresKey: [store], NSRemovedPersistentStoresKey: [former.store],
            NSUUIDChangedPersistentStoresKey: [former.store, store],
        ])
        return store
    }

    /// Moves a store to another URL: a store in a single file with its next save; a database at once, to a
    /// file that exists and fits the model.
    final func baseSetURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        if store.move(to: url) { return true }
        guard let index = index(of: store), let handle = handle(at: index), let former = store.url,
            !former.isNowhere, store is SQLiteStore, basePersistentStore(for: url) == nil,
            FileManager.default.fileExists(atPath: url.path)
        else { return false }
        store.url = url
        do {
            try open(store, handle.entities, inPlaceOf: handle)
        } catch {
            store.url = former
            FrameworkLog.warning("The store at \(former.path) cannot move to \(url.path): \(error)")
            return false
        }
        handle.backend.close()
        return true
    }

    private final func content(
        of handle: StoreHandle, leavingOut: ((String) -> Void)?
    ) throws -> ChangeSet {
        var transfer = StoreTransfer(from: handle.backend, frozen.compiled, leavingOut: leavingOut)
        do throws(StoreError) {
            return try transfer.changeSet(of: handle.entities)
        } catch {
            throw error.nsError()
        }
    }

    private final func fill(
        _ store: NSPersistentStore, with content: ChangeSet, of handle: StoreHandle
    ) throws {
        guard let index = index(of: store), let target = self.handle(at: index) else { return }
        // The app's own metadata is copied as well, before the content, since each change of it writes the
        // whole file.
        var own = store.metadata ?? [:]
        own[NSStoreUUIDKey] = nil
        try store.write(metadata: own.merging(handle.store.metadata ?? [:]) { own, _ in own })
        guard target.isBindable else {
            _ = try target.backend.commit(content)
            return
        }
        // Stores of an app's own class receive objects, not rows.
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = self
        try context.performAndWait {
            ChangeAdoption(context, storeIndex: index).adopt(content)
            try context.save()
        }
    }

    /// Makes the store at one place a copy of the one at another.
    final func baseReplacePersistentStore(
        at target: URL, from source: URL, _ type: String, _ options: [AnyHashable: Any]
    ) throws {
        let storeClass = try StoreTypes.storeClass(type)
        if let open = persistentStore(for: target) { try baseRemove(open) }
        try storeClass.copyFiles(from: source, to: target, options)
    }
}
