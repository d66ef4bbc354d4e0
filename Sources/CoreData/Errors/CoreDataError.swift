import Foundation

/// The errors of the framework: each has the domain, a code, the code's text, and the fault as the reason.
enum CoreDataError {
    /// Returns an error with Apple's code and text.
    static func error(_ code: Int, reason: String? = nil, _ userInfo: [String: Any] = [:]) -> NSError {
        var userInfo = userInfo
        if userInfo[NSLocalizedDescriptionKey] == nil {
            userInfo[NSLocalizedDescriptionKey] = description(of: code)
        }
        if let reason { userInfo[NSLocalizedFailureReasonErrorKey] = reason }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
    }

    /// Returns the error for a feature that does not exist; it names the feature.
    static func unsupported(_ feature: String) -> NSError {
        error(NSCoreDataError, reason: "\(feature) is not supported yet.")
    }

    /// The error of work that was cancelled.
    static var cancelled: NSError { error(CocoaError.Code.userCancelled.rawValue) }

    /// Returns the error for a model that cannot be used; every fault is named.
    static func invalidModel(_ faults: [String]) -> NSError {
        error(
            NSCoreDataError, reason: "The model cannot be used: " + faults.joined(separator: "; "),
            ["NSModelFaults": faults])
    }

    /// Returns the errors that `combined(_:)` joined into one.
    static func parts(of error: any Error) -> [NSError] {
        let error = error as NSError
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
        return error.code == NSValidationMultipleErrorsError ? details ?? [error] : [error]
    }

    /// Returns one error for a list: the only one, or `NSValidationMultipleErrorsError`; nil for none.
    static func combined(_ errors: [NSError]) -> NSError? {
        errors.count > 1
            ? error(NSValidationMultipleErrorsError, [NSDetailedErrorsKey: errors])
            : errors.first
    }

    /// Returns the meaning of a code in one sentence.
    private static func description(of code: Int) -> String {
        descriptions[code] ?? "A Core Data error occurred."
    }

    private static let descriptions: [Int: String] = [
        CocoaError.Code.fileReadUnknown.rawValue: "The file couldn’t be opened.",
        CocoaError.Code.fileReadNoSuchFile.rawValue:
            "The file couldn’t be opened because there is no such file.",
        CocoaError.Code.fileReadCorruptFile.rawValue:
            "The file couldn’t be opened because it isn’t in the correct format.",
        CocoaError.Code.fileReadNoPermission.rawValue:
            "The file couldn’t be opened because you don’t have permission to view it.",
        CocoaError.Code.fileWriteUnknown.rawValue: "The file couldn’t be saved.",
        CocoaError.Code.fileWriteNoPermission.rawValue: "You don’t have permission to save the file.",
        CocoaError.Code.fileWriteOutOfSpace.rawValue:
            "The file couldn’t be saved because there isn’t enough space.",
        CocoaError.Code.userCancelled.rawValue: "The operation was cancelled.",
        NSManagedObjectValidationError: "The operation couldn’t be completed: validation failed.",
        NSManagedObjectConstraintValidationError: "One or more values violate a uniqueness constraint.",
        NSValidationMultipleErrorsError: "Multiple validation errors occurred.",
        NSManagedObjectReferentialIntegrityError: "A fault leads to an object that is not in its store.",
        NSManagedObjectExternalRelationshipError:
            "An object being saved has a relationship to an object of another store.",
        NSManagedObjectMergeError: "Could not merge changes.",
        NSManagedObjectConstraintMergeError: "Could not merge changes: constraint conflicts.",
        NSPersistentStoreInvalidTypeError: "The store type is not known.",
        NSPersistentStoreTypeMismatchError: "The store is not of the expected type.",
        NSPersistentStoreIncompatibleSchemaError: "The tables of the store are not those of the model.",
        NSPersistentStoreSaveError: "The store could not be saved.",
        NSPersistentStoreIncompleteSaveError: "Not every store could be saved.",
        NSPersistentStoreSaveConflictsError: "The save has merge conflicts that were not resolved.",
        NSCoreDataError: "A Core Data error occurred.",
        NSPersistentStoreOperationError: "The store operation failed.",
        NSPersistentStoreOpenError: "The persistent store could not be opened.",
        NSPersistentStoreTimeoutError: "The persistent store could not be reached in time.",
        NSPersistentStoreUnsupportedRequestTypeError: "The store does not support this kind of request.",
        NSPersistentStoreIncompatibleVersionHashError:
            "The managed object model version used to open the persistent store is incompatible with the one that "
            + "was used to create the persistent store.",
        NSMigrationError: "An error occurred during persistent store migration.",
        NSMigrationConstraintViolationError: "Objects of the store share values that are to be unique.",
        NSMigrationCancelledError: "The migration was cancelled.",
        NSMigrationMissingSourceModelError:
            "Persistent store migration failed, missing source managed object model.",
        NSMigrationMissingMappingModelError: "Persistent store migration failed, missing mapping model.",
        NSMigrationManagerSourceStoreError: "The source store of the migration cannot be read.",
        NSMigrationManagerDestinationStoreError: "The destination store of the migration cannot be written.",
        NSEntityMigrationPolicyError: "A policy of the migration failed.",
        NSInferredMappingModelError: "No mapping model can be inferred.",
        NSSQLiteError: "The database reported an error.",
        NSManagedObjectModelReferenceNotFoundError: "The model reference leads to no model.",
        NSStagedMigrationBackwardMigrationError: "A store cannot be migrated to an earlier stage.",
    ]
}
