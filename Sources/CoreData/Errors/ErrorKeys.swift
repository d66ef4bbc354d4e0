// The keys and domains of Core Data's errors.

/// An array with one error for each failure, under `NSValidationMultipleErrorsError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that failed to validate.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The property that failed to validate.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate a value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed to validate.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores involved.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects involved.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The merge conflicts of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's result codes, and the key that holds one.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

/// The key under which errors of the persistence layer carry what went wrong below.
let underlyingExceptionKey = "NSUnderlyingException"
/// The key that Foundation's file errors use as well.
let filePathKey = "NSFilePath"
