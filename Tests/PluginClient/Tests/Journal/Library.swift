import CoreData

/// The app's stack: a store in a folder of its own, whose view context follows what others save.
nonisolated struct Library {
    let container: NSPersistentContainer
    private let folder: URL

    /// Loads the model from the module's own bundle, since other modules of the program have one of the same
    /// name.
    @MainActor init() throws {
        let url = Bundle.module.url(forResource: "Journal", withExtension: "momd")
        guard let model = url.flatMap(NSManagedObjectModel.init) else { throw CocoaError(.fileNoSuchFile) }
        container = NSPersistentContainer(name: "Journal", managedObjectModel: model)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Journal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("Journal.sqlite"))
        store.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [store]
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    func load() throws {
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try FileManager.default.removeItem(at: folder)
    }
}
