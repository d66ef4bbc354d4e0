// The options a store can be opened with.

import CoreDataSQLite
import Foundation

/// The store cannot be changed.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// An XML store is held against its document type when read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// How long to wait for a store others use, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Pragmas to run when a SQLite store opens, by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// A SQLite store is analysed when it opens.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// A SQLite store is rebuilt without gaps when it opens.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The model's version hashes are not compared with the store's.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// A store of an older model version is migrated when it opens.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// A migration without a mapping model infers one.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// How many connections a SQLite store keeps for reading.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// The delegate that indexes the store for a search index.
public let NSCoreDataCoreSpotlightExporter = "NSCoreDataCoreSpotlightExporter"
/// The manager whose stages migrate the store when it opens.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
    "NSPersistentStoreStagedMigrationManagerOptionKey"
/// A store is destroyed even if it is not one or others use it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The file URL at which a copy of the store is kept, with its log and external files, before it is migrated.
/// Only the app removes copies: where another lies already, the new one is kept beside it, as
/// `Before-2.sqlite`, unless both are the same, as after a migration that failed. Where anything but a store
/// lies, the store is not migrated. A migration in stages keeps one copy, of the store as it was before the
/// first stage. Costs as much space and time as copying the store. An addition to Apple's options.
public let PersistentStoreMigrationBackupKey = "PersistentStoreMigrationBackup"
/// A migration counts what there is before and after, and where the two differ, as where a new inverse has no
/// room for every pair, it is an error (`NSMigrationError`) with `entity`, `property`, `countBefore` and
/// `countAfter` in its `userInfo`, and the store stays as it was. An addition to Apple's options.
///
/// An inferred migration, in place or by a copy, counts the objects of every entity and the related pairs of
/// every relationship that go on. One by a mapping model counts, for each entity mapping, the objects that it
/// has made, without those that its policy has deleted, and their rows in the copy; so does an inferred copy
/// of a store of an app's own class. Costs two passes over the store.
public let PersistentStoreMigrationVerificationKey = "PersistentStoreMigrationVerification"
/// The `NSManagedObjectModel` that the store was made with, for one that carries none and whose version is in
/// no bundle. It goes before those, if it is that model. An addition to Apple's options.
public let PersistentStoreMigrationSourceModelKey = "PersistentStoreMigrationSourceModel"
/// The protection of the store's files, on systems that have one.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The store keeps a history of its changes.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// How long a store keeps the history of its changes, in seconds; for ever without the option. A later save
/// deletes what is older, so that the app need not delete history. An addition to Apple's options.
public let PersistentHistoryRetentionKey = "PersistentHistoryRetention"
/// The classes a binary store may decode.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// A binary store may decode any class.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
    "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Changes by others are posted as notifications.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// A lightweight migration leaves clean-up for later.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"

extension [AnyHashable: Any]? {
    /// Whether an option that is on or off is on; without a word about it, it is off.
    func isSet(_ option: String) -> Bool { (self?[option] as? NSNumber)?.boolValue ?? false }
}

extension [AnyHashable: Any] {
    /// How long to wait for others, in seconds.
    var timeout: Double {
        (self[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? SQLiteStoreOptions().timeout
    }
}
