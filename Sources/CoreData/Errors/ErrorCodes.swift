// The error codes of Core Data, all in NSCocoaErrorDomain.

/// A value fails a validation predicate: 1550.
///
/// Thrown by saves, and by `validateForInsert()`, `validateForUpdate()` and `validateValue(_:forKey:)`, for a
/// value that fails a validation predicate with a text as its warning. The text is the description.
public let NSManagedObjectValidationError = 1550
/// Values violate a uniqueness constraint: 1551.
///
/// Not thrown here: a violated constraint is 133021 (`NSManagedObjectConstraintMergeError`).
public let NSManagedObjectConstraintValidationError = 1551
/// Several validation rules are broken: 1560.
///
/// Thrown by saves and validation methods instead of two or more errors with the codes 1550 to 1680, which
/// are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional has no value: 1570.
///
/// Thrown by saves and validation methods, for attributes, to-one relationships and, with its path as the
/// key, an element of a composite attribute that has a value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has fewer objects than `minCount`: 1580.
///
/// Thrown by saves and validation methods. An optional relationship may be empty.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has more objects than `maxCount`: 1590.
///
/// Thrown by saves and validation methods.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the delete rule Deny is not empty: 1600.
///
/// Thrown by saves and `validateForDelete()` for a deleted object, and by a batch deletion, which throws it
/// also if it would make a mandatory relationship nil.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its limit: 1610.
///
/// Thrown by saves and validation methods.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its limit: 1620.
///
/// Thrown by saves and validation methods.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its limit: 1630.
///
/// Thrown by saves and validation methods.
public let NSValidationDateTooLateError = 1630
/// A date is before its limit: 1640.
///
/// Thrown by saves and validation methods.
public let NSValidationDateTooSoonError = 1640
/// A value is no date: 1650.
///
/// Thrown by saves and validation methods only for a rule whose warning is this code: a date attribute takes
/// nothing but dates.
public let NSValidationInvalidDateError = 1650
/// A text is longer than its limit: 1660.
///
/// Thrown by saves and validation methods.
public let NSValidationStringTooLongError = 1660
/// A text is shorter than its limit: 1670.
///
/// Thrown by saves and validation methods.
public let NSValidationStringTooShortError = 1670
/// A text does not match its regular expression: 1680.
///
/// Thrown by saves and validation methods.
public let NSValidationStringPatternMatchingError = 1680
/// A value is no URI: 1690.
///
/// Thrown by saves and validation methods only for a rule whose warning is this code: a URI attribute takes
/// nothing but URLs.
public let NSValidationInvalidURIError = 1690
/// A context could not be locked: 132000.
///
/// Not thrown here: contexts have queues in the place of locks.
public let NSManagedObjectContextLockingError = 132_000
/// A coordinator could not be locked: 132010.
///
/// Not thrown here: coordinators have queues in the place of locks.
public let NSPersistentStoreCoordinatorLockingError = 132_010
/// There is no row for an object ID: 133000.
///
/// Thrown by `NSManagedObjectContext.existingObject(with:)`, with the ID under `NSAffectedObjectsErrorKey`.
/// An incremental store throws it for a row that is gone.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// A relationship leads to an object of another store: 133010.
///
/// Thrown by saves, and by batch updates that set such a relationship. Use a fetched property instead.
public let NSManagedObjectExternalRelationshipError = 133_010
/// Rows changed in the store since the context read them: 133020.
///
/// Thrown by saves whose merge policy is the error policy, with the `NSMergeConflict`s under
/// `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectMergeError = 133_020
/// Values that must be unique are taken: 133021.
///
/// Thrown by saves and batch insertions whose merge policy is the error policy, and by batch updates with
/// any. A save has the `NSConstraintConflict`s under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectConstraintMergeError = 133_021
/// There is no class for a store type: 134000.
///
/// Thrown by calls that open, move or destroy a store or read its metadata, and for a registered class that
/// is neither an atomic nor an incremental store.
public let NSPersistentStoreInvalidTypeError = 134_000
/// A store is of another type than asked for: 134010.
///
/// Not thrown here: a file of another type is 259 (`CocoaError.fileReadCorruptFile`).
public let NSPersistentStoreTypeMismatchError = 134_010
/// The tables of a database are not those of the model: 134020.
///
/// Not thrown here: a table that is missing is 134180 (`NSSQLiteError`).
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// A store cannot be saved: 134030.
///
/// Thrown by saves if no writable store holds the entity of a new object, if a store of the context was
/// removed, or if another process has changed a store in one file since it was read. A migration or a new
/// store throws it if other processes change the file again and again meanwhile.
public let NSPersistentStoreSaveError = 134_030
/// Some of several stores were saved, and one was not: 134040.
///
/// Thrown by saves. The stores and objects that are not saved are under `NSAffectedStoresErrorKey` and
/// `NSAffectedObjectsErrorKey`, the reason under `NSUnderlyingErrorKey`.
public let NSPersistentStoreIncompleteSaveError = 134_040
/// The merge policy does not resolve the conflicts of a save: 134050.
///
/// Thrown by saves when the very same conflicts have come back eight times.
public let NSPersistentStoreSaveConflictsError = 134_050
/// An error of the framework without a code of its own: 134060.
///
/// Thrown for invalid requests (an unknown key or entity, a value of another type, a method that cannot be
/// called), for models that cannot be used, and for features that a store does not have. The reason names the
/// fault, and a model's faults are under "NSModelFaults".
public let NSCoreDataError = 134_060
/// A store cannot do what it is asked: 134070.
///
/// Thrown for a store that is not of the coordinator, for a place where another store of it lies, for
/// operations on files of stores without files, for methods that an app's own store does not override, and
/// for batches for which there is no store.
public let NSPersistentStoreOperationError = 134_070
/// A store cannot be opened as described: 134080.
///
/// Thrown if it has no URL but needs one, or if the model has no configuration of the given name. Faults of
/// the file have Foundation's codes, such as 260 (`fileReadNoSuchFile`) and 259 (`fileReadCorruptFile`).
public let NSPersistentStoreOpenError = 134_080
/// A store was in use for longer than the timeout: 134090.
///
/// Thrown by calls that read or write a store which another connection or process keeps locked, mostly by
/// saves.
public let NSPersistentStoreTimeoutError = 134_090
/// A store or a context cannot execute this kind of request: 134091.
///
/// Thrown for batches and history in stores without them, for query generations in stores without them or
/// without a write-ahead log, for asynchronous fetches in contexts without a queue, and for plain fetches and
/// saves passed to `execute(_:)`.
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
/// A store was made with another version of the model: 134100.
///
/// Thrown by opening a store that is not to be migrated, with the names of the entities that differ under
/// "NSIncompatibleEntities".
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// A migration failed: 134110.
///
/// Thrown for objects that break a rule of the new model, for values that do not fit, for a mapping that does
/// not fit its models, and for a verification whose counts differ, with "entity", "attribute" or "property"
/// and "reason".
public let NSMigrationError = 134_110
/// Objects of a migration share values that must be unique: 134111.
///
/// Thrown by migrations that copy through a manager; a migration in place has it as the underlying error of
/// 134110.
public let NSMigrationConstraintViolationError = 134_111
/// A migration was cancelled: 134120.
///
/// Not thrown here: `NSMigrationManager.cancelMigrationWithError(_:)` ends the migration with the error that
/// the caller passes.
public let NSMigrationCancelledError = 134_120
/// The model that a store was made with cannot be found: 134130.
///
/// Thrown by automatic migrations; the reason lists the versions that are known and how they differ.
public let NSMigrationMissingSourceModelError = 134_130
/// There is no mapping between two models: 134140.
///
/// Thrown by automatic migrations without a mapping model, where none may or can be inferred, and for a
/// compiled mapping that cannot be used. The underlying error, 134190, names the change that cannot be
/// inferred.
public let NSMigrationMissingMappingModelError = 134_140
/// The source store of a migration cannot be read: 134150.
///
/// Thrown by `NSMigrationManager`, with the reason as its underlying error.
public let NSMigrationManagerSourceStoreError = 134_150
/// The destination store of a migration cannot be written: 134160.
///
/// Thrown by `NSMigrationManager`, with the reason as its underlying error.
public let NSMigrationManagerDestinationStoreError = 134_160
/// An entity migration policy failed: 134170.
///
/// Thrown by migrations for a policy class that is not found, and for errors that a policy throws, which
/// become the underlying error.
public let NSEntityMigrationPolicyError = 134_170
/// The database reported an error without a code of its own: 134180.
///
/// Thrown by calls that read or write a SQLite store. SQLite's result code is under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134_180
/// A mapping between two models cannot be inferred: 134190.
///
/// Thrown by `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`, with the first obstacle
/// under "entity", "property" and "reason".
public let NSInferredMappingModelError = 134_190
/// External records could not be imported: 134200.
///
/// Not thrown here: there are no external records.
public let NSExternalRecordImportError = 134_200
/// A part of the history after a token was deleted: 134301.
///
/// Thrown by requests on history, also for a token from the future, such as one of a store that was put back
/// from a backup. The store is under `NSAffectedStoresErrorKey`.
public let NSPersistentHistoryTokenExpiredError = 134_301
/// A model reference leads to no model: 134504.
///
/// Thrown by staged migrations for a reference without a model or to one with another checksum, and for a
/// store of a version that no stage starts from.
public let NSManagedObjectModelReferenceNotFoundError = 134_504
/// A migration stage was made for another version of the framework: 134505.
///
/// Not thrown here.
public let NSStagedMigrationFrameworkVersionMismatchError = 134_505
/// The stages of a migration would lead backwards: 134506.
///
/// Thrown by staged migrations for a store of a later version than the model of the coordinator.
public let NSStagedMigrationBackwardMigrationError = 134_506
