public import Foundation

/// What a store of an `NSPersistentCloudKitContainer` is synced with.
///
/// Unlike Apple's: there is no CloudKit. The identifier names what the app's sync server keeps for the store;
/// the product `CoreDataSync` says which server that is (`SyncDefaults`).
open class NSPersistentCloudKitContainerOptions: NSObject {
    /// The name of what the store is synced with.
    public let containerIdentifier: String

    /// Makes options.
    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
    }

    /// Returns whether the other options have the same identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentCloudKitContainerOptions)?.containerIdentifier == containerIdentifier
    }

    /// A hash of the identifier.
    open override var hash: Int { containerIdentifier.hashValue }
}

extension NSPersistentStoreDescription {
    private static let cloudKitKey = "NSPersistentCloudKitContainerOptionsKey"

    /// What the store is synced with by an `NSPersistentCloudKitContainer`; nil for a store that is not
    /// synced.
    public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
        get { options[Self.cloudKitKey] as? NSPersistentCloudKitContainerOptions }
        set { setOption(newValue, forKey: Self.cloudKitKey) }
    }
}
