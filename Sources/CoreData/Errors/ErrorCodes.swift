// The error codes of Core Data in NSCocoaErrorDomain.

/// Generic validation failure.
public let NSManagedObjectValidationError = 1550
/// One or more uniqueness constraints were violated.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validation failures; they are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A bounded to-many relationship has too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the delete rule Deny is not empty.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its limit.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its limit.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its limit.
public let NSValidationDateTooLateError = 1630
/// A date is before its limit.
public let NSValidationDateTooSoonError = 1640
/// A value is no date.
public let NSValidationInvalidDateError = 1650
/// A text is too long.
public let NSValidationStringTooLongError = 1660
/// A text is too short.
public let NSValidationStringTooShortError = 1670
/// A text does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A value is no URI.
public let NSValidationInvalidURIError = 1690
/// A lock of a context could not be had.
public let NSManagedObjectContextLockingError = 132_000
/// A lock of a coordinator could not be had.
public let NSPersistentStoreCoordinatorLockingError = 132_010
/// A fault leads to a row that is not there.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// A saved object refers to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133_010
/// Objects changed in the store since the context read them.
public let NSManagedObjectMergeError = 133_020
/// Objects have unique values that others have already.
public let NSManagedObjectConstraintMergeError = 133_021
/// The store type is unknown.
public let NSPersistentStoreInvalidTypeError = 134_000
/// The store is not of the type asked for.
public let NSPersistentStoreTypeMismatchError = 134_010
/// The database's tables are not those of the model.
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// A store could not save.
public let NSPersistentStoreSaveError = 134_030
/// Some of several stores could not save.
public let NSPersistentStoreIncompleteSaveError = 134_040
/// Merge conflicts were not resolved.
public let NSPersistentStoreSaveConflictsError = 134_050
/// Another error of the framework.
public let NSCoreDataError = 134_060
/// A store operation failed.
public let NSPersistentStoreOperationError = 134_070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// A store could not be reached in time.
public let NSPersistentStoreTimeoutError = 134_090
/// The store does not know this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
/// The store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// A migration failed.
public let NSMigrationError = 134_110
/// A migration would violate a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134_111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134_120
/// The model a store was made with cannot be found.
public let NSMigrationMissingSourceModelError = 134_130
/// A mapping between two models cannot be found.
public let NSMigrationMissingMappingModelError = 134_140
/// The source store of a migration failed.
public let NSMigrationManagerSourceStoreError = 134_150
/// The destination store of a migration failed.
public let NSMigrationManagerDestinationStoreError = 134_160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134_170
/// SQLite reported an error.
public let NSSQLiteError = 134_180
/// A mapping could not be inferred.
public let NSInferredMappingModelError = 134_190
/// External records could not be imported.
public let NSExternalRecordImportError = 134_200
/// A history token is older than the history kept.
public let NSPersistentHistoryTokenExpiredError = 134_301
/// A model reference leads to no model.
public let NSManagedObjectModelReferenceNotFoundError = 134_504
/// A migration stage was made for another framework version.
public let NSStagedMigrationFrameworkVersionMismatchError = 134_505
/// The stages would migrate a store backwards.
public let NSStagedMigrationBackwardMigrationError = 134_506
