// The options that a store can be opened with.

import CoreDataStore
import Foundation

/// Whether saves to the store are refused.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Whether an XML store is checked against its document type; has no effect here, where a file that is no
/// store is an error in any case.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// How long to wait for a store that other connections lock, in seconds; 240 unless set.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Pragmas to run when a SQLite store is opened, as a dictionary by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Whether a SQLite store is analysed when it is opened, for better query plans.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Whether a SQLite store is rebuilt without gaps when it is opened, which takes as long as copying it.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Whether a store is opened although its version hashes are not the model's.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Whether a store of another model version is migrated when it is opened.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Whether a migration infers a mapping model if there is none.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// How many connections a SQLite store keeps for reading; 4 unless set.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// The delegate that indexes the store for Spotlight; has no effect here.
public let NSCoreDataCoreSpotlightExporter = "NSCoreDataCoreSpotlightExporter"
/// The `NSStagedMigrationManager` whose stages migrate the store when it is opened.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
    "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Whether the files of a store are removed although other connections write to it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The file URL at which a copy of the store is kept, with its log and external files, before it is migrated.
///
/// Only the app removes copies: if another copy is there already, the new one is kept beside it, as
/// `Before-2.sqlite`, unless both are equal, as after a migration that failed. If a file there is not a
/// store, the store is not migrated. A migration in stages keeps one copy, of the store as it was before the
/// first stage. Costs as much space and time as copying the store.
///
/// An addition to Apple's options.
public let PersistentStoreMigrationBackupKey = "PersistentStoreMigrationBackup"
/// Whether a migration counts objects and related pairs before and after.
///
/// If the counts differ, as when a new to-one inverse cannot hold every pair, the migration fails with
/// `NSMigrationError` (134110), with `entity`, `property`, `countBefore` and `countAfter` in its `userInfo`,
/// and the store stays as it was.
///
/// An inferred migration, in place or by a copy, counts the objects of every entity and the related pairs of
/// every relationship that the new model keeps. A migration by a mapping model counts, for each entity
/// mapping, the objects that it has made, without those that its policy has deleted, and their rows in the
/// copy; so does an inferred copy of a store of an app's own class. Costs two passes over the store.
///
/// An addition to Apple's options.
public let PersistentStoreMigrationVerificationKey = "PersistentStoreMigrationVerification"
/// The `NSManagedObjectModel` that the store was made with, for a store that carries none and whose version
/// is in no bundle.
///
/// The option is ignored if the model is of another version than the store.
///
/// An addition to Apple's options.
public let PersistentStoreMigrationSourceModelKey = "PersistentStoreMigrationSourceModel"
/// The protection of the store's files; has no effect here, where files have permissions alone.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Whether the store keeps a history of its changes.
///
/// Unlike Apple's: a store that has history continues it without the option, too.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// How long a store keeps the history of its changes, in seconds; for ever without the option.
///
/// A later save deletes what is older, so that the app need not delete history. What a registered reader has not
/// read yet (`PersistentHistoryConsumersKey`) stays for 90 days.
///
/// An addition to Apple's options.
public let PersistentHistoryRetentionKey = "PersistentHistoryRetention"
/// A key in the metadata of a SQLite store: a dictionary of the `transactionNumber` that each reader of the
/// history has read last, by the name of the reader.
///
/// The retention of `PersistentHistoryRetentionKey` spares what comes after the least of these numbers, but not
/// longer than 90 days, so that a reader that does not come back holds nothing for ever. A reader registers by
/// `NSPersistentStoreCoordinator.setMetadata(_:for:)`, and leaves by taking its name out. Requests that delete
/// history delete it all the same.
///
/// An addition to Apple's keys.
public let PersistentHistoryConsumersKey = DatabaseOptions.historyConsumersKey
/// A key in the metadata of a SQLite or PostgreSQL store: which migrations have changed keys of objects, the last
/// part of their URIs.
///
/// A migration in place that brings entities into another hierarchy adds a dictionary to the array under this key: what it
/// has added to the keys of each such entity's objects, by the entity's renaming identifier or name. So a program
/// that knows objects by their URIs finds them again: if it has noted the count of the array, the dictionaries behind
/// it are news. An empty one stands for a migration by a copy, after which every object may have another key. The
/// history of the store has the new keys.
///
/// An addition to Apple's keys.
public let PersistentStoreKeyMovesKey = DatabaseOptions.keyMovesKey
/// Whether each save to a PostgreSQL store leaves a mark in the database; true unless set.
///
/// If the connection is lost while the server is asked to commit, the mark tells whether it did: the save
/// then succeeds, or is done again. Without marks it throws `NSPersistentStoreOperationError` (134070), and
/// the app has to look into the store. A mark is a row of the table `z_saves`, written in the save's own round
/// trip and deleted after an hour.
///
/// An addition to Apple's options.
public let PostgreSQLSaveMarksKey = "PostgreSQLSaveMarks"
/// The standbys from which a PostgreSQL store that saves may read: a `URL`, or a string; none unless set.
///
/// The URL may name several hosts, of which one standby is used; what it lacks, as user and database, is that of the
/// store's URL, which may be given here, too. A fetch, a fault or a relationship is read from the standby, unless
/// that lacks something which the store has written, read, or been notified of at the primary: then it is read at
/// the primary, and so is all where no standby answers. A store that is opened read-only has the standbys of its
/// own URL.
///
/// An addition to Apple's options.
public let PostgreSQLStandbyURLKey = "PostgreSQLStandbyURL"
/// The file, a `URL` or a path, to which a profile of the process is written from the opening of the store on: its
/// fetches, faults, saves, merges, migrations and statements, of all stores. A file that is there is replaced;
/// `coredata profile` reads it. The launch argument `-com.apple.CoreData.Profile` with a path does the same.
///
/// While a profile is recorded each event costs some microseconds. An addition to Apple's options.
public let ProfileFileURLKey = "ProfileFileURL"
/// The classes that a binary store may decode; has no effect here, where its format makes no objects of
/// classes that the file names.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Whether a binary store may decode any class; has no effect here, where its format makes no objects of
/// classes that the file names.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
    "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Whether the coordinator posts `NSPersistentStoreRemoteChange` after each change of the store's file, its
/// own included.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Whether a lightweight migration leaves dropping columns and tables, and in a PostgreSQL store making
/// indexes, to `finishDeferredLightweightMigration()`.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"

extension [AnyHashable: Any]? {
    /// Returns whether an option that is on or off is on; without a value, it is off.
    func isSet(_ option: String) -> Bool { (self?[option] as? NSNumber)?.boolValue ?? false }
}

extension [AnyHashable: Any] {
    /// How long to wait for locks of other connections, in seconds.
    var timeout: Double {
        (self[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? DatabaseOptions().timeout
    }
}
