// The keys and domains of Core Data's errors.

/// An array with one error for each broken rule, in a `NSValidationMultipleErrorsError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that failed to validate.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed to validate; for an element of a composite attribute its path.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that a value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed to validate; absent where a value is missing.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores that an error is about: those that were not saved, or that have no history or generation.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects that an error is about, or their IDs.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts of a save: `NSMergeConflict`s in a `NSManagedObjectMergeError`, `NSConstraintConflict`s in a
/// `NSManagedObjectConstraintMergeError`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's result codes, and the key under which an error has the one that caused it.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

/// The key under which errors of the persistence layer have the message of the layer below.
let underlyingExceptionKey = "NSUnderlyingException"
/// The key of a file's path, which Foundation's file errors use as well.
let filePathKey = "NSFilePath"
