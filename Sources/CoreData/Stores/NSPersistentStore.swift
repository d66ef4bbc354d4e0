public import Foundation

/// One store of a coordinator: where it lies, what it holds, its metadata.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    public final weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    public final let configurationName: String
    public final let options: [AnyHashable: Any]?
    open var url: URL?
    open var identifier: String!
    open var isReadOnly: Bool
    open var metadata: [String: Any]!

    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        persistentStoreCoordinator = root
        configurationName = name ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.options = options
        self.url = url
        identifier = UUID().uuidString
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        metadata = [:]
        super.init()
    }

    /// `NSSQLiteStoreType` and the like.
    open var type: String { "" }

    /// Reads the store's metadata into `metadata`.
    open func loadMetadata() throws {}
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    open override var description: String {
        "\(Printing.head(self)) (URL: \(url?.absoluteString ?? "(null)"))"
    }

    /// The metadata of a store's file, without opening the store.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try SQLiteStore.readMetadata(at: url)
    }

    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try SQLiteStore.writeMetadata(metadata, at: url)
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
