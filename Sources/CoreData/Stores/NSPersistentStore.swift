import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// One open store of a coordinator, with its place, metadata and options.
///
/// Coordinators make stores; apps subclass `NSAtomicStore` or `NSIncrementalStore` for formats of their own.
/// Safe to read from any thread.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    /// The coordinator that has the store open; nil once the store is removed.
    public internal(set) final weak var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinatorLink?.target }
        set { coordinatorLink = newValue?.link }
    }
    private final var coordinatorLink: Backlink<NSPersistentStoreCoordinator>?
    /// The name of the configuration whose entities the store holds; `PF_DEFAULT_CONFIGURATION_NAME` for all
    /// of the model.
    public final let configurationName: String
    /// The options with which the store was added.
    public final let options: [AnyHashable: Any]?
    /// The place of the store's file; `/dev/null` for a store without one.
    open var url: URL?
    /// The store's UUID, which object URIs carry.
    open var identifier: String!
    /// Whether saves to the store are refused, by `NSReadOnlyPersistentStoreOption` unless set.
    open var isReadOnly: Bool
    /// Property-list values about the store: those that the framework needs to open it, and those that the
    /// app adds.
    ///
    /// A failure to write it is logged.
    ///
    /// Unlike Apple's: written at once, except by a store of an app's own class, which writes it with its
    /// next save.
    open var metadata: [String: Any]!
    final let link = Backlink<NSPersistentStore>()

    /// Makes a store for a coordinator, which opens it later; initializers of subclasses call it.
    ///
    /// The identifier is a new UUID until the store has been read.
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

    /// Makes a store of a class that is known only at run time; only coordinators call it.
    public required convenience init(
        _adding root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) {
        self.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    /// The type with which the store was added: `NSSQLiteStoreType` and its siblings, or a registered type.
    open var type: String { addedType }
    final var addedType = ""
    /// Whether opening the store fails if its file is missing, since this process has just put it there.
    final var mustExist = false

    static func removed(_ url: URL?) -> StoreError {
        StoreError(.fileMissing, "another process has removed the store meanwhile", path: url?.path)
    }

    /// Sets `metadata`, and throws if it cannot be written to an open store.
    func write(metadata: [String: Any]) throws { self.metadata = metadata }

    /// Writes metadata for a caller that cannot throw, and logs a failure.
    final func noteFailure(_ write: () throws -> Void) {
        do { try write() } catch {
            let reason = translated(error).localizedFailureReason ?? "\(error)"
            FrameworkLog.warning("The metadata of \(url?.path ?? "") could not be written: \(reason)")
        }
    }

    /// Opens the store for its coordinator, and returns the backend that does the work.
    func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        throw CoreDataError.error(
            NSPersistentStoreInvalidTypeError,
            reason: "\(Swift.type(of: self)) is no store that can be opened: subclass NSAtomicStore or "
                + "NSIncrementalStore.")
    }

    /// Moves the store to another URL; false if it cannot.
    func move(to url: URL) -> Bool { self.url?.isSamePlace(as: url) ?? false }

    /// The names of the store's rows, if it chooses them itself.
    var referenceKeys: ReferenceKeys? { nil }

    /// Returns the name of a row in URIs.
    final func referenceText(_ reference: ObjectReference, root: EntityIndex) -> String {
        referenceKeys?.text(of: reference.key, root: root) ?? String(reference.key)
    }

    /// Returns the key of a row by its name in URIs; nil for a text that is no row's name.
    final func key(ofReferenceText text: String, root: EntityIndex) -> Int64? {
        if let referenceKeys { return referenceKeys.key(ofText: text, root: root) }
        return Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Checks metadata that a store of an app's own class has loaded against the model, and adds what is
    /// missing.
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

    /// Removes a store; at `/dev/null` there are no files, and the device stays.
    static func removeStore(at url: URL, _ options: [AnyHashable: Any] = [:]) throws {
        if !url.isNowhere { try removeFiles(at: url, options) }
    }

    /// Removes the files of a store that is not at `/dev/null`.
    class func removeFiles(at url: URL, _ options: [AnyHashable: Any]) throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }

    /// Returns the files that a store at a URL may consist of.
    class func files(ofStoreAt url: URL) -> [URL] { [url] }

    /// Returns whether the stores at two places contain the same. Files that are equal do.
    class func containsSame(_ url: URL, as other: URL, _ options: [AnyHashable: Any]) throws -> Bool {
        zip(files(ofStoreAt: url), files(ofStoreAt: other)).allSatisfy {
            FileManager.default.contentsEqual(atPath: $0.path, andPath: $1.path)
        }
    }

    /// Removes files that processes left at and beside the place of a store when they died.
    class func removeLeftovers(at url: URL) {
        if url.isFileURL, !url.isNowhere { Leftovers.remove(beside: url) }
    }

    /// Makes the store at one place a copy of the one at another.
    class func copyFiles(from source: URL, to target: URL, _ options: [AnyHashable: Any]) throws {
        throw CoreDataError.error(
            NSPersistentStoreOperationError, reason: "Stores of class \(self) have no files to copy.")
    }

    /// Returns a place for the draft of a store, beside the place of the store.
    class func draftPlace(for url: URL, _ options: [AnyHashable: Any]) throws -> any DraftPlace {
        try DraftFolder(beside: url)
    }

    /// Moves the finished store of a draft to a URL, where it replaces whatever is there.
    ///
    /// Throws errors of stores.
    ///
    /// - Parameter mustBeFree: Whether an error of kind `overtaken` is thrown if a store cannot be made there
    ///   any more.
    class func publish(
        _ draft: URL, at target: URL, _ options: [AnyHashable: Any], mustBeFree: Bool = false
    ) throws {
        // The framework assumes that a store of an app's own class is a single file.
        if mustBeFree { return try WholeFile(target, timeout: options.timeout).take(draft) }
        try changeFile(at: target, options) { condition throws(StoreError) in
            try WholeFile.replace(target, withFile: draft, timeout: options.timeout, if: condition)
        }
    }

    /// Reads the store's metadata into `metadata`; the default implementation does nothing.
    ///
    /// A coordinator calls it when it opens a store of an app's own class.
    ///
    /// - Throws: The error with which opening the store fails.
    open func loadMetadata() throws {}
    /// Called when the store was added to a coordinator; the default implementation does nothing.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    /// Called before the store is removed from its coordinator; the default implementation does nothing.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// The store's class, address and URL.
    open override var description: String {
        "\(Printing.head(self)) (URL: \(url?.shown ?? "(null)"))"
    }

    /// Returns the metadata of a store's file, whatever its type, without opening it as a store.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `CocoaError.fileReadNoSuchFile` (260), `.fileReadCorruptFile` (259)
    ///   or `.fileReadNoPermission` (257) if there is no such file or it is no store;
    ///   `NSPersistentStoreTimeoutError` (134090).
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try StoreTypes.storeClass(at: url).metadataForPersistentStore(with: url)
    }

    /// Sets the metadata of a store's file, whatever its type, without opening it as a store.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `CocoaError.fileReadNoSuchFile` (260), `.fileReadCorruptFile`
    ///   (259), `.fileWriteNoPermission` (513) and other file errors; `NSPersistentStoreTimeoutError`
    ///   (134090).
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try StoreTypes.storeClass(at: url).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// A type of store, in Swift's spelling.
    public struct StoreType: Hashable, RawRepresentable, Sendable {
        /// The type as a string, with which stores are added.
        public let rawValue: String
        /// Makes the Swift spelling of a store type, also of a registered one.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite database: `NSSQLiteStoreType`.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A binary file, read and written as a whole: `NSBinaryStoreType`.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// A store in memory, whose content is lost when the store is closed: `NSInMemoryStoreType`.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// An XML file, read and written as a whole: `NSXMLStoreType`.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        /// A PostgreSQL database: `PostgreSQLStoreType`. An addition to Apple's types.
        public static let postgreSQL = StoreType(rawValue: PostgreSQLStoreType)
    }
}
