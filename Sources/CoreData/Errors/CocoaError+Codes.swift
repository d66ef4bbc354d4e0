public import Foundation

extension CocoaError.Code {
    public static var managedObjectValidation: Self { Self(rawValue: NSManagedObjectValidationError) }
    public static var validationMultipleErrors: Self { Self(rawValue: NSValidationMultipleErrorsError) }
    public static var validationMissingMandatoryProperty: Self {
        Self(rawValue: NSValidationMissingMandatoryPropertyError)
    }
    public static var validationRelationshipLacksMinimumCount: Self {
        Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
    }
    public static var validationRelationshipExceedsMaximumCount: Self {
        Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
    }
    public static var validationRelationshipDeniedDelete: Self {
        Self(rawValue: NSValidationRelationshipDeniedDeleteError)
    }
    public static var validationNumberTooLarge: Self { Self(rawValue: NSValidationNumberTooLargeError) }
    public static var validationNumberTooSmall: Self { Self(rawValue: NSValidationNumberTooSmallError) }
    public static var validationDateTooLate: Self { Self(rawValue: NSValidationDateTooLateError) }
    public static var validationDateTooSoon: Self { Self(rawValue: NSValidationDateTooSoonError) }
    public static var validationInvalidDate: Self { Self(rawValue: NSValidationInvalidDateError) }
    public static var validationStringTooLong: Self { Self(rawValue: NSValidationStringTooLongError) }
    public static var validationStringTooShort: Self { Self(rawValue: NSValidationStringTooShortError) }
    public static var validationStringPatternMatching: Self {
        Self(rawValue: NSValidationStringPatternMatchingError)
    }
    public static var managedObjectContextLocking: Self { Self(rawValue: NSManagedObjectContextLockingError) }
    public static var persistentStoreCoordinatorLocking: Self {
        Self(rawValue: NSPersistentStoreCoordinatorLockingError)
    }
    public static var managedObjectReferentialIntegrity: Self {
        Self(rawValue: NSManagedObjectReferentialIntegrityError)
    }
    public static var managedObjectExternalRelationship: Self {
        Self(rawValue: NSManagedObjectExternalRelationshipError)
    }
    public static var managedObjectMerge: Self { Self(rawValue: NSManagedObjectMergeError) }
    public static var managedObjectConstraintMerge: Self {
        Self(rawValue: NSManagedObjectConstraintMergeError)
    }
    public static var persistentStoreInvalidType: Self { Self(rawValue: NSPersistentStoreInvalidTypeError) }
    public static var persistentStoreTypeMismatch: Self { Self(rawValue: NSPersistentStoreTypeMismatchError) }
    public static var persistentStoreIncompatibleSchema: Self {
        Self(rawValue: NSPersistentStoreIncompatibleSchemaError)
    }
    public static var persistentStoreSave: Self { Self(rawValue: NSPersistentStoreSaveError) }
    public static var persistentStoreIncompleteSave: Self {
        Self(rawValue: NSPersistentStoreIncompleteSaveError)
    }
    public static var persistentStoreSaveConflicts: Self {
        Self(rawValue: NSPersistentStoreSaveConflictsError)
    }
    public static var coreData: Self { Self(rawValue: NSCoreDataError) }
    public static var persistentStoreOperation: Self { Self(rawValue: NSPersistentStoreOperationError) }
    public static var persistentStoreOpen: Self { Self(rawValue: NSPersistentStoreOpenError) }
    public static var persistentStoreTimeout: Self { Self(rawValue: NSPersistentStoreTimeoutError) }
    public static var persistentStoreUnsupportedRequestType: Self {
        Self(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    }
    public static var persistentStoreIncompatibleVersionHash: Self {
        Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
    }
    public static var migration: Self { Self(rawValue: NSMigrationError) }
    public static var migrationCancelled: Self { Self(rawValue: NSMigrationCancelledError) }
    public static var migrationMissingSourceModel: Self { Self(rawValue: NSMigrationMissingSourceModelError) }
    public static var migrationMissingMappingModel: Self {
        Self(rawValue: NSMigrationMissingMappingModelError)
    }
    public static var migrationManagerSourceStore: Self { Self(rawValue: NSMigrationManagerSourceStoreError) }
    public static var migrationManagerDestinationStore: Self {
        Self(rawValue: NSMigrationManagerDestinationStoreError)
    }
    public static var entityMigrationPolicy: Self { Self(rawValue: NSEntityMigrationPolicyError) }
    public static var sqlite: Self { Self(rawValue: NSSQLiteError) }
    public static var inferredMappingModel: Self { Self(rawValue: NSInferredMappingModelError) }
    public static var externalRecordImport: Self { Self(rawValue: NSExternalRecordImportError) }
}

extension CocoaError {
    public static var managedObjectValidation: Code { .managedObjectValidation }
    public static var validationMultipleErrors: Code { .validationMultipleErrors }
    public static var validationMissingMandatoryProperty: Code { .validationMissingMandatoryProperty }
    public static var validationRelationshipLacksMinimumCount: Code {
        .validationRelationshipLacksMinimumCount
    }
    public static var validationRelationshipExceedsMaximumCount: Code {
        .validationRelationshipExceedsMaximumCount
    }
    public static var validationRelationshipDeniedDelete: Code { .validationRelationshipDeniedDelete }
    public static var validationNumberTooLarge: Code { .validationNumberTooLarge }
    public static var validationNumberTooSmall: Code { .validationNumberTooSmall }
    public static var validationDateTooLate: Code { .validationDateTooLate }
    public static var validationDateTooSoon: Code { .validationDateTooSoon }
    public static var validationInvalidDate: Code { .validationInvalidDate }
    public static var validationStringTooLong: Code { .validationStringTooLong }
    public static var validationStringTooShort: Code { .validationStringTooShort }
    public static var validationStringPatternMatching: Code { .validationStringPatternMatching }
    public static var managedObjectContextLocking: Code { .managedObjectContextLocking }
    public static var persistentStoreCoordinatorLocking: Code { .persistentStoreCoordinatorLocking }
    public static var managedObjectReferentialIntegrity: Code { .managedObjectReferentialIntegrity }
    public static var managedObjectExternalRelationship: Code { .managedObjectExternalRelationship }
    public static var managedObjectMerge: Code { .managedObjectMerge }
    public static var managedObjectConstraintMerge: Code { .managedObjectConstraintMerge }
    public static var persistentStoreInvalidType: Code { .persistentStoreInvalidType }
    public static var persistentStoreTypeMismatch: Code { .persistentStoreTypeMismatch }
    public static var persistentStoreIncompatibleSchema: Code { .persistentStoreIncompatibleSchema }
    public static var persistentStoreSave: Code { .persistentStoreSave }
    public static var persistentStoreIncompleteSave: Code { .persistentStoreIncompleteSave }
    public static var persistentStoreSaveConflicts: Code { .persistentStoreSaveConflicts }
    public static var coreData: Code { .coreData }
    public static var persistentStoreOperation: Code { .persistentStoreOperation }
    public static var persistentStoreOpen: Code { .persistentStoreOpen }
    public static var persistentStoreTimeout: Code { .persistentStoreTimeout }
    public static var persistentStoreUnsupportedRequestType: Code { .persistentStoreUnsupportedRequestType }
    public static var persistentStoreIncompatibleVersionHash: Code { .persistentStoreIncompatibleVersionHash }
    public static var migration: Code { .migration }
    public static var migrationCancelled: Code { .migrationCancelled }
    public static var migrationMissingSourceModel: Code { .migrationMissingSourceModel }
    public static var migrationMissingMappingModel: Code { .migrationMissingMappingModel }
    public static var migrationManagerSourceStore: Code { .migrationManagerSourceStore }
    public static var migrationManagerDestinationStore: Code { .migrationManagerDestinationStore }
    public static var entityMigrationPolicy: Code { .entityMigrationPolicy }
    public static var sqlite: Code { .sqlite }
    public static var inferredMappingModel: Code { .inferredMappingModel }
    public static var externalRecordImport: Code { .externalRecordImport }
}
