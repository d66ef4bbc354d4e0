public import Foundation

/// A whole stack: a model, a coordinator with its stores, a context for the main queue, and others on demand.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    private let coordinator: NSPersistentStoreCoordinator
    private let mainContext: NSManagedObjectContext

    public let name: String
    open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
    /// The context of the main queue.
    open var viewContext: NSManagedObjectContext { mainContext }
    /// The stores to load. One SQLite store named after the container unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    open override var description: String { Printing.head(self) }

    /// A container whose model is the one of that name among the program's resources: the main bundle, loaded
    /// bundles, and the resource folders that the build put beside the executable. Traps if there is none.
    public convenience init(name: String) {
        let files = ModelFiles(bundles: nil)
        guard let url = files.url(named: name), let model = NSManagedObjectModel(contentsOf: url) else {
            let known = files.urls().map(\.lastPathComponent).joined(separator: ", ")
            programmerError(
                "Failed to load model named \(name). Among the program's resources are these models: "
                    + "[\(known)]. Add the model to a target with the plugin, or pass a model to "
                    + "NSPersistentContainer(name:managedObjectModel:).")
        }
        self.init(name: name, managedObjectModel: model)
    }

    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        mainContext.persistentStoreCoordinator = coordinator
        persistentStoreDescriptions = []
        super.init()
        let url = type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    }

    /// Where stores lie unless their description says otherwise: a folder named after the program, in
    /// `$XDG_DATA_HOME` or else `~/.local/share`. Made when a store is loaded from it.
    open class func defaultDirectoryURL() -> URL {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let base =
            home ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }

    /// Adds a store for every description and calls the block once for each, with the error if it failed.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let defaultFolder = type(of: self).defaultDirectoryURL().standardizedFileURL
        for description in persistentStoreDescriptions {
            if description.url?.deletingLastPathComponent().standardizedFileURL.path == defaultFolder.path {
                // A failure shows when the store opens, with the path.
                try? FileManager.default.createDirectory(at: defaultFolder, withIntermediateDirectories: true)
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// A new context on a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new background context, on that context's queue.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new background context, on that context's queue, and hands back what it returns.
    public nonisolated(nonsending) func performBackgroundTask<T, Failure: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> T
    ) async throws(Failure) -> T {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> T in try block(context) }
    }
}

/// Room for what a class cannot declare beside a method of the same name.
public protocol PersistentContainerDirectory {}

extension NSPersistentContainer: PersistentContainerDirectory {}

extension PersistentContainerDirectory where Self: NSPersistentContainer {
    /// `defaultDirectoryURL()` as a property.
    public static var defaultDirectoryURL: URL { Self.defaultDirectoryURL() }
}
