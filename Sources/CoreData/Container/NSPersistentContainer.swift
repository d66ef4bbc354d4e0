public import Foundation

/// A whole stack: a model, a coordinator with its stores, a context for the main queue, and background
/// contexts on demand.
///
/// Make it, set `persistentStoreDescriptions` if the default does not fit, and call
/// `loadPersistentStores(completionHandler:)`.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    private let coordinator: NSPersistentStoreCoordinator
    private let mainContext: NSManagedObjectContext

    /// The name of the container, and of its default store.
    public let name: String
    /// The model of the coordinator.
    open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
    /// The coordinator, which the container makes.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
    /// The context of the main queue, for user interfaces.
    ///
    /// Unlike Apple's: `perform` on it needs a program that runs the main queue.
    open var viewContext: NSManagedObjectContext { mainContext }
    /// The stores to load: one SQLite store named after the container in `defaultDirectoryURL()` unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// The container's class and address.
    open override var description: String { Printing.head(self) }

    /// Makes a container with the model of that name among the program's resources: in the main bundle, in
    /// loaded bundles, and in the resource folders that the build put beside the executable.
    ///
    /// Traps if there is none, listing the models that there are.
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

    /// Makes a container for a model, which is immutable from then on.
    ///
    /// Traps on a model that cannot be used, naming every fault.
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

    /// Returns the folder of stores whose description does not say otherwise.
    ///
    /// The folder is made when a store is loaded from it. Override the method to use another folder.
    ///
    /// Unlike Apple's: `$XDG_DATA_HOME/<program>` or else `~/.local/share/<program>`.
    open class func defaultDirectoryURL() -> URL {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let base =
            home ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }

    /// Opens a store for every description, and makes those that do not exist.
    ///
    /// Each is opened on this thread, unless its description has `shouldAddStoreAsynchronously`.
    ///
    /// - Parameter block: Called once for each description, with the error of
    ///   `NSPersistentStoreCoordinator.addPersistentStore(ofType:configurationName:at:options:)` if the store
    ///   could not be opened.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions { load(description, block) }
    }

    final func load(
        _ description: NSPersistentStoreDescription,
        _ block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let defaultFolder = type(of: self).defaultDirectoryURL().standardizedFileURL
        if description.url?.deletingLastPathComponent().standardizedFileURL.path == defaultFolder.path {
            // A failure shows when the store opens, with the path.
            try? FileManager.default.createDirectory(at: defaultFolder, withIntermediateDirectories: true)
        }
        persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }

    /// Makes a context on a queue of its own, which works with the coordinator.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new background context, on that context's queue.
    ///
    /// Returns at once. Changes that the block does not save are lost with the context.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new background context, on that context's queue, and returns its result.
    ///
    /// Changes that the block does not save are lost with the context. Objects of the context must not leave
    /// the block.
    ///
    /// Unlike Apple's: throws the block's error type, not any error.
    ///
    /// - Throws: The error that the block throws.
    public nonisolated(nonsending) func performBackgroundTask<T, Failure: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> T
    ) async throws(Failure) -> T {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> T in try block(context) }
    }
}

/// A protocol for the property that the class cannot declare beside a method of the same name; only
/// `NSPersistentContainer` conforms to it.
public protocol PersistentContainerDirectory {}

extension NSPersistentContainer: PersistentContainerDirectory {}

extension PersistentContainerDirectory where Self: NSPersistentContainer {
    /// The folder of stores whose description does not say otherwise: `defaultDirectoryURL()` as a property.
    public static var defaultDirectoryURL: URL { Self.defaultDirectoryURL() }
}
