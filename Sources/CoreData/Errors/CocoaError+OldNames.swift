public import Foundation

extension CocoaError.Code {
    @available(*, deprecated, renamed: "managedObjectValidation")
    public static var managedObjectValidationError: Self { .managedObjectValidation }
    @available(*, deprecated, renamed: "validationMultipleErrors")
    public static var validationMultipleErrorsError: Self { .validationMultipleErrors }
    @available(*, deprecated, renamed: "validationMissingMandatoryProperty")
    public static var validationMissingMandatoryPropertyError: Self { .validationMissingMandatoryProperty }
    @available(*, deprecated, renamed: "validationRelationshipLacksMinimumCount")
    public static var validationRelationshipLacksMinimumCountError: Self {
        .validationRelationshipLacksMinimumCount
    }
    @available(*, deprecated, renamed: "validationRelationshipExceedsMaximumCount")
    public static var validationRelationshipExceedsMaximumCountError: Self {
        .validationRelationshipExceedsMaximumCount
    }
    @available(*, deprecated, renamed: "validationRelationshipDeniedDelete")
    public static var validationRelationshipDeniedDeleteError: Self { .validationRelationshipDeniedDelete }
    @available(*, deprecated, renamed: "validationNumberTooLarge")
    public static var validationNumberTooLargeError: Self { .validationNumberTooLarge }
    @available(*, deprecated, renamed: "validationNumberTooSmall")
    public static var validationNumberTooSmallError: Self { .validationNumberTooSmall }
    @available(*, deprecated, renamed: "validationDateTooLate")
    public static var validationDateTooLateError: Self { .validationDateTooLate }
    @available(*, deprecated, renamed: "validationDateTooSoon")
    public static var validationDateTooSoonError: Self { .validationDateTooSoon }
    @available(*, deprecated, renamed: "validationInvalidDate")
    public static var validationInvalidDateError: Self { .validationInvalidDate }
    @available(*, deprecated, renamed: "validationStringTooLong")
    public static var validationStringTooLongError: Self { .validationStringTooLong }
    @available(*, deprecated, renamed: "validationStringTooShort")
    public static var validationStringTooShortError: Self { .validationStringTooShort }
    @available(*, deprecated, renamed: "validationStringPatternMatching")
    public static var validationStringPatternMatchingError: Self { .validationStringPatternMatching }
    @available(*, deprecated, renamed: "managedObjectContextLocking")
    public static var managedObjectContextLockingError: Self { .managedObjectContextLocking }
    @available(*, deprecated, renamed: "persistentStoreCoordinatorLocking")
    public static var persistentStoreCoordinatorLockingError: Self { .persistentStoreCoordinatorLocking }
    @available(*, deprecated, renamed: "managedObjectReferentialIntegrity")
    public static var managedObjectReferentialIntegrityError: Self { .managedObjectReferentialIntegrity }
    @available(*, deprecated, renamed: "managedObjectExternalRelationship")
    public static var managedObjectExternalRelationshipError: Self { .managedObjectExternalRelationship }
    @available(*, deprecated, renamed: "managedObjectMerge")
    public static var managedObjectMergeError: Self { .managedObjectMerge }
    @available(*, deprecated, renamed: "managedObjectConstraintMerge")
    public static var managedObjectConstraintMergeError: Self { .managedObjectConstraintMerge }
    @available(*, deprecated, renamed: "persistentStoreInvalidType")
    public static var persistentStoreInvalidTypeError: Self { .persistentStoreInvalidType }
    @available(*, deprecated, renamed: "persistentStoreTypeMismatch")
    public static var persistentStoreTypeMismatchError: Self { .persistentStoreTypeMismatch }
    @available(*, deprecated, renamed: "persistentStoreIncompatibleSchema")
    public static var persistentStoreIncompatibleSchemaError: Self { .persistentStoreIncompatibleSchema }
    @available(*, deprecated, renamed: "persistentStoreSave")
    public static var persistentStoreSaveError: Self { .persistentStoreSave }
    @available(*, deprecated, renamed: "persistentStoreIncompleteSave")
    public static var persistentStoreIncompleteSaveError: Self { .persistentStoreIncompleteSave }
    @available(*, deprecated, renamed: "persistentStoreSaveConflicts")
    public static var persistentStoreSaveConflictsError: Self { .persistentStoreSaveConflicts }
    @available(*, deprecated, renamed: "coreData")
    public static var coreDataError: Self { .coreData }
    @available(*, deprecated, renamed: "persistentStoreOperation")
    public static var persistentStoreOperationError: Self { .persistentStoreOperation }
    @available(*, deprecated, renamed: "persistentStoreOpen")
    public static var persistentStoreOpenError: Self { .persistentStoreOpen }
    @available(*, deprecated, renamed: "persistentStoreTimeout")
    public static var persistentStoreTimeoutError: Self { .persistentStoreTimeout }
    @available(*, deprecated, renamed: "persistentStoreUnsupportedRequestType")
    public static var persistentStoreUnsupportedRequestTypeError: Self {
        .persistentStoreUnsupportedRequestType
    }
    @available(*, deprecated, renamed: "persistentStoreIncompatibleVersionHash")
    public static var persistentStoreIncompatibleVersionHashError: Self {
        .persistentStoreIncompatibleVersionHash
    }
    @available(*, deprecated, renamed: "migration")
    public static var migrationError: Self { .migration }
    @available(*, deprecated, renamed: "migrationCancelled")
    public static var migrationCancelledError: Self { .migrationCancelled }
    @available(*, deprecated, renamed: "migrationMissingSourceModel")
    public static var migrationMissingSourceModelError: Self { .migrationMissingSourceModel }
    @available(*, deprecated, renamed: "migrationMissingMappingModel")
    public static var migrationMissingMappingModelError: Self { .migrationMissingMappingModel }
    @available(*, deprecated, renamed: "migrationManagerSourceStore")
    public static var migrationManagerSourceStoreError: Self { .migrationManagerSourceStore }
    @available(*, deprecated, renamed: "migrationManagerDestinationStore")
    public static var migrationManagerDestinationStoreError: Self { .migrationManagerDestinationStore }
    @available(*, deprecated, renamed: "entityMigrationPolicy")
    public static var entityMigrationPolicyError: Self { .entityMigrationPolicy }
    @available(*, deprecated, renamed: "sqlite")
    public static var sqliteError: Self { .sqlite }
    @available(*, deprecated, renamed: "inferredMappingModel")
    public static var inferredMappingModelError: Self { .inferredMappingModel }
    @available(*, deprecated, renamed: "externalRecordImport")
    public static var externalRecordImportError: Self { .externalRecordImport }
}
