public import Foundation

extension NSNotification.Name {
    /// The name of Apple's notification before stores change; this framework does not post it.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted by a coordinator after a store was added, removed or exchanged, with the stores in `userInfo`.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted by a store before its coordinator removes it.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted by a coordinator after any connection, of this process or another, has changed a store's file.
    ///
    /// Only for stores that were added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    /// `userInfo` has the store's identifier (`NSStoreUUIDKey`), its URL and, if it keeps history, the token
    /// of the last transaction.
    ///
    /// Unlike Apple's: several commits may be one notification. Where the system has no inotify watch left,
    /// the file is looked at every half second.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name(
        "NSPersistentStoreRemoteChangeNotification")
}

/// The array of stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// The array of stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// The array of a store that was exchanged and the one that took its place.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The URL of a store that changed.
public let NSPersistentStoreURLKey = "storeURL"
/// The `NSPersistentHistoryToken` of the last transaction.
public let NSPersistentHistoryTokenKey = "historyToken"
