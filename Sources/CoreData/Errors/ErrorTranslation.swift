import CoreDataModelFormat
import CoreDataStore
import Foundation

// The only file that turns the errors of lower layers into NSErrors.

extension StoreError {
    /// Returns the error as an `NSError` with Apple's code and keys.
    ///
    /// - Parameter conflicts: The merge or constraint conflicts as objects, for the two kinds of error that
    ///   carry rows.
    func nsError(conflicts: [NSObject] = []) -> NSError {
        if case .reported(let error) = kind { return error as NSError }
        var userInfo: [String: Any] = ["reason": message]
        userInfo[filePathKey] = path
        userInfo[NSSQLiteErrorDomain] = code.map { NSNumber(value: $0 & 0xff) }
        userInfo[underlyingExceptionKey] = code.map { _ in message }
        userInfo["NSSQLStatement"] = sql
        if !conflicts.isEmpty { userInfo[NSPersistentStoreSaveConflictsErrorKey] = conflicts }
        if case .incompatibleModel(let entities) = kind { userInfo["NSIncompatibleEntities"] = entities }
        if case .migrationViolation(let violation) = kind {
            userInfo["reason"] = violation.reason
            userInfo["entity"] = violation.entity
            userInfo["attribute"] = violation.property
            if case .count(let before, let after) = violation.rule {
                userInfo["property"] = violation.property
                userInfo["countBefore"] = before
                userInfo["countAfter"] = after
            }
        }
        return CoreDataError.error(cocoaCode, reason: message, userInfo)
    }

    private var cocoaCode: Int {
        switch kind {
        case .conflicts: NSManagedObjectMergeError
        case .constraints: NSManagedObjectConstraintMergeError
        case .unsupported, .inexpressible, .invalidValue, .reported: NSCoreDataError
        case .cancelled: CocoaError.Code.userCancelled.rawValue
        case .deleteDenied: NSValidationRelationshipDeniedDeleteError
        case .fileMissing: CocoaError.Code.fileReadNoSuchFile.rawValue
        case .notADatabase, .corrupt: CocoaError.Code.fileReadCorruptFile.rawValue
        case .cannotOpen: CocoaError.Code.fileReadUnknown.rawValue
        case .notReadable: CocoaError.Code.fileReadNoPermission.rawValue
        case .cannotCreate: CocoaError.Code.fileWriteUnknown.rawValue
        case .readOnly: CocoaError.Code.fileWriteNoPermission.rawValue
        case .busy: NSPersistentStoreTimeoutError
        case .connectionLost, .outcomeUnknown: NSPersistentStoreOperationError
        case .overtaken: NSPersistentStoreSaveError
        case .diskFull: CocoaError.Code.fileWriteOutOfSpace.rawValue
        case .database: NSSQLiteError
        case .migrationViolation(let violation):
            violation.rule == .unique ? NSMigrationConstraintViolationError : NSMigrationError
        case .incompatibleModel: NSPersistentStoreIncompatibleVersionHashError
        }
    }
}

extension ModelCompiler.Failure {
    var nsError: NSError { CoreDataError.invalidModel(faults) }

    /// One line for each error, with the element that it is about.
    var faults: [String] {
        diagnostics.filter { $0.severity == .error }.map {
            $0.elementPath.isEmpty ? $0.message : "\($0.elementPath): \($0.message)"
        }
    }
}

extension ModelFileError {
    var nsError: NSError {
        CoreDataError.error(cocoaCode, reason: description, [filePathKey: path])
    }

    private var cocoaCode: Int {
        switch reason {
        case .unreadable: CocoaError.Code.fileReadUnknown.rawValue
        case .unwritable, .overtaken: CocoaError.Code.fileWriteUnknown.rawValue
        case .inexpressible: NSCoreDataError
        case .missingModel: NSMigrationMissingSourceModelError
        case .unmappable: NSMigrationMissingMappingModelError
        case .notAModel, .notAMapping, .xcode3Model, .malformedXML, .malformedText, .malformedPropertyList,
            .malformedArchive,
            .excessive, .noVersions, .missingCurrentVersion:
            CocoaError.Code.fileReadCorruptFile.rawValue
        }
    }
}

/// Returns an error of a lower layer as an `NSError` with Apple's code, and any other error unchanged.
func translated(_ error: any Error) -> NSError {
    switch error {
    case let error as StoreError: error.nsError()
    case let error as ModelCompiler.Failure: error.nsError
    case let error as ModelFileError: error.nsError
    default: error as NSError
    }
}
