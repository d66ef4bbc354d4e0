import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// One store of a coordinator: where it lies, what it holds, its metadata.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    public internal(set) final weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinatorLink?.target }
        set { coordinatorLink = newValue?.link }
    }
    private final var coordinatorLink: Backlink<NSPersistentStoreCoordinator>?
    public final let configurationName: String
    public final let options: [AnyHashable: Any]?
    open var url: URL?
    open var identifier: String!
    open var isReadOnly: Bool
    open var metadata: [String: Any]!
    final let link = Backlink<NSPersistentStore>()

    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        coordinatorLink = root?.link
        configurationName = name ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.options = options
        self.url = url
        identifier = UUID().uuidString
        isReadOnly = options.isSet(NSReadOnlyPersistentStoreOption)
        metadata = [:]
        super.init()
        link.lead(to: self)
    }

    /// The one initializer that every class is sure to have: how a coordinator makes a store of a class it
    /// knows only at run time.
    public required convenience init(
        _adding root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) {
        self.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    /// The type that the store was added as: `NSSQLiteStoreType` and the like.
    open var type: String { addedType }
    final var addedType = ""

    /// Sets `metadata`. Throws if a store that is open cannot have it written.
    func write(metadata: [String: Any]) throws { self.metadata = metadata }

    /// Writes metadata where nothing can be thrown.
    final func noteFailure(_ write: () throws -> Void) {
        do { try write() } catch {
            let reason = translated(error).localizedFailureReason ?? "\(error)"
            FrameworkLog.warning("The metadata of \(url?.path ?? "") could not be written: \(reason)")
        }
    }

    /// Opens the store for its coordinator, and answers with what does the work.
    func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        throw CoreDataError.error(
            NSPersistentStoreInvalidTypeError,
            reason: "\(Swift.type(of: self)) is no store that can be opened: subclass NSAtomicStore or "
                + "NSIncrementalStore.")
    }

    /// Has the store lie elsewhere; false if it cannot.
    func move(to url: URL) -> Bool { self.url?.standardizedFileURL == url.standardizedFileURL }

    /// What the store calls its rows, if not by numbers of ours.
    var referenceKeys: ReferenceKeys? { nil }

    /// What a row is called in URIs.
    final func referenceText(_ reference: ObjectReference, root: EntityIndex) -> String {
        referenceKeys?.text(of: reference.key, root: root) ?? String(reference.key)
    }

    /// The key of a row that is called so; nil for what is no row's name.
    final func key(ofReferenceText text: String, root: EntityIndex) -> Int64? {
        if let referenceKeys { return referenceKeys.key(ofText: text, root: root) }
        return Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Checks metadata that a store of an app's own class has loaded against the model, and adds what it does
    /// not say.
    final func takeMetadata(of model: FrozenModel, _ entities: Set<EntityIndex>?) throws {
        let names = model.names(of: entities)
        let loaded = metadata ?? [:]
        if loaded[NSStoreModelVersionHashesKey] != nil {
            try StoreMetadata(loaded).requireFit(of: model, entityNames: names, in: self)
        }
        if let uuid = loaded[NSStoreUUIDKey] as? String { identifier = uuid }
        let own = StoreMetadata(type: type, model: model.compiled, entityNames: names).values
        metadata = own.merging(loaded) { _, loaded in loaded }
        metadata[NSStoreUUIDKey] = identifier
    }

    /// Removes a store. One at `/dev/null` has no files there, and the device stays.
    static func removeStore(at url: URL, _ options: [AnyHashable: Any] = [:]) throws {
        if !url.isNowhere { try removeFiles(at: url, options) }
    }

    /// What a class does to remove a store at another place than `/dev/null`.
    class func removeFiles(at url: URL, _ options: [AnyHashable: Any]) throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }

    /// What a store at a URL may consist of.
    class func files(ofStoreAt url: URL) -> [URL] { [url] }

    /// Removes what processes that died have left at the place of a store, and beside it.
    class func removeLeftovers(at url: URL) {
        if url.isFileURL, !url.isNowhere { Leftovers.remove(beside: url) }
    }

    /// Makes the store at one place what it is at another.
    class func copyFiles(from source: URL, to target: URL, _ options: [AnyHashable: Any]) throws {
        throw CoreDataError.error(
            NSPersistentStoreOperationError, reason: "Stores of class \(self) have no files to copy.")
    }

    /// Has the finished store of a draft take the place of whatever is at a URL. Throws errors of stores.
    ///
    /// - Parameter mustBeNew: Whether an error of kind `overtaken` is thrown where something is already.
    class func publish(
        _ draft: URL, at target: URL, _ options: [AnyHashable: Any], mustBeNew: Bool = false
    ) throws {
        // A store of an app's own class is a file, as far as anybody knows.
        if mustBeNew { return try WholeFile(target).take(draft) }
        try WholeFile.replace(target, withFile: draft)
    }

    /// Reads the store's metadata into `metadata`.
    open func loadMetadata() throws {}
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    open override var description: String {
        "\(Printing.head(self)) (URL: \(url?.absoluteString ?? "(null)"))"
    }

    /// The metadata of a store's file, without opening the store.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try StoreTypes.fileClass(at: url).metadataForPersistentStore(with: url)
    }

    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try StoreTypes.fileClass(at: url).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// A kind of store, in Swift's spelling.
    public struct StoreType: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}
