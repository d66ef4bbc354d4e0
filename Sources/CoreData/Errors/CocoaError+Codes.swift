public import Foundation

extension CocoaError.Code {
    /// A value fails a validation predicate: 1550, `NSManagedObjectValidationError`.
    public static var managedObjectValidation: Self { Self(rawValue: NSManagedObjectValidationError) }
    /// Several validation rules are broken: 1560, `NSValidationMultipleErrorsError`.
    public static var validationMultipleErrors: Self { Self(rawValue: NSValidationMultipleErrorsError) }
    /// A property that is not optional has no value: 1570, `NSValidationMissingMandatoryPropertyError`.
    public static var validationMissingMandatoryProperty: Self {
        Self(rawValue: NSValidationMissingMandatoryPropertyError)
    }
    /// A to-many relationship has fewer objects than `minCount`: 1580,
    /// `NSValidationRelationshipLacksMinimumCountError`.
    public static var validationRelationshipLacksMinimumCount: Self {
        Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
    }
    /// A to-many relationship has more objects than `maxCount`: 1590,
    /// `NSValidationRelationshipExceedsMaximumCountError`.
    public static var validationRelationshipExceedsMaximumCount: Self {
        Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
    }
    /// A relationship with the delete rule Deny is not empty: 1600,
    /// `NSValidationRelationshipDeniedDeleteError`.
    public static var validationRelationshipDeniedDelete: Self {
        Self(rawValue: NSValidationRelationshipDeniedDeleteError)
    }
    /// A number is above its limit: 1610, `NSValidationNumberTooLargeError`.
    public static var validationNumberTooLarge: Self { Self(rawValue: NSValidationNumberTooLargeError) }
    /// A number is below its limit: 1620, `NSValidationNumberTooSmallError`.
    public static var validationNumberTooSmall: Self { Self(rawValue: NSValidationNumberTooSmallError) }
    /// A date is after its limit: 1630, `NSValidationDateTooLateError`.
    public static var validationDateTooLate: Self { Self(rawValue: NSValidationDateTooLateError) }
    /// A date is before its limit: 1640, `NSValidationDateTooSoonError`.
    public static var validationDateTooSoon: Self { Self(rawValue: NSValidationDateTooSoonError) }
    /// A value is no date: 1650, `NSValidationInvalidDateError`.
    public static var validationInvalidDate: Self { Self(rawValue: NSValidationInvalidDateError) }
    /// A text is longer than its limit: 1660, `NSValidationStringTooLongError`.
    public static var validationStringTooLong: Self { Self(rawValue: NSValidationStringTooLongError) }
    /// A text is shorter than its limit: 1670, `NSValidationStringTooShortError`.
    public static var validationStringTooShort: Self { Self(rawValue: NSValidationStringTooShortError) }
    /// A text does not match its regular expression: 1680, `NSValidationStringPatternMatchingError`.
    public static var validationStringPatternMatching: Self {
        Self(rawValue: NSValidationStringPatternMatchingError)
    }
    /// A context could not be locked: 132000, `NSManagedObjectContextLockingError`.
    public static var managedObjectContextLocking: Self { Self(rawValue: NSManagedObjectContextLockingError) }
    /// A coordinator could not be locked: 132010, `NSPersistentStoreCoordinatorLockingError`.
    public static var persistentStoreCoordinatorLocking: Self {
        Self(rawValue: NSPersistentStoreCoordinatorLockingError)
    }
    /// There is no row for an object ID: 133000, `NSManagedObjectReferentialIntegrityError`.
    public static var managedObjectReferentialIntegrity: Self {
        Self(rawValue: NSManagedObjectReferentialIntegrityError)
    }
    /// A relationship leads to an object of another store: 133010,
    /// `NSManagedObjectExternalRelationshipError`.
    public static var managedObjectExternalRelationship: Self {
        Self(rawValue: NSManagedObjectExternalRelationshipError)
    }
    /// Rows changed in the store since the context read them: 133020, `NSManagedObjectMergeError`.
    public static var managedObjectMerge: Self { Self(rawValue: NSManagedObjectMergeError) }
    /// Values that must be unique are taken: 133021, `NSManagedObjectConstraintMergeError`.
    public static var managedObjectConstraintMerge: Self {
        Self(rawValue: NSManagedObjectConstraintMergeError)
    }
    /// There is no class for a store type: 134000, `NSPersistentStoreInvalidTypeError`.
    public static var persistentStoreInvalidType: Self { Self(rawValue: NSPersistentStoreInvalidTypeError) }
    /// A store is of another type than asked for: 134010, `NSPersistentStoreTypeMismatchError`.
    public static var persistentStoreTypeMismatch: Self { Self(rawValue: NSPersistentStoreTypeMismatchError) }
    /// The tables of a database are not those of the model: 134020,
    /// `NSPersistentStoreIncompatibleSchemaError`.
    public static var persistentStoreIncompatibleSchema: Self {
        Self(rawValue: NSPersistentStoreIncompatibleSchemaError)
    }
    /// A store cannot be saved: 134030, `NSPersistentStoreSaveError`.
    public static var persistentStoreSave: Self { Self(rawValue: NSPersistentStoreSaveError) }
    /// Some of several stores were saved, and one was not: 134040, `NSPersistentStoreIncompleteSaveError`.
    public static var persistentStoreIncompleteSave: Self {
        Self(rawValue: NSPersistentStoreIncompleteSaveError)
    }
    /// The merge policy does not resolve the conflicts of a save: 134050,
    /// `NSPersistentStoreSaveConflictsError`.
    public static var persistentStoreSaveConflicts: Self {
        Self(rawValue: NSPersistentStoreSaveConflictsError)
    }
    /// An error of the framework without a code of its own: 134060, `NSCoreDataError`.
    public static var coreData: Self { Self(rawValue: NSCoreDataError) }
    /// A store cannot do what it is asked: 134070, `NSPersistentStoreOperationError`.
    public static var persistentStoreOperation: Self { Self(rawValue: NSPersistentStoreOperationError) }
    /// A store cannot be opened as described: 134080, `NSPersistentStoreOpenError`.
    public static var persistentStoreOpen: Self { Self(rawValue: NSPersistentStoreOpenError) }
    /// A store was in use for longer than the timeout: 134090, `NSPersistentStoreTimeoutError`.
    public static var persistentStoreTimeout: Self { Self(rawValue: NSPersistentStoreTimeoutError) }
    /// A store or a context cannot execute this kind of request: 134091,
    /// `NSPersistentStoreUnsupportedRequestTypeError`.
    public static var persistentStoreUnsupportedRequestType: Self {
        Self(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    }
    /// A store was made with another version of the model: 134100,
    /// `NSPersistentStoreIncompatibleVersionHashError`.
    public static var persistentStoreIncompatibleVersionHash: Self {
        Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
    }
    /// A migration failed: 134110, `NSMigrationError`.
    public static var migration: Self { Self(rawValue: NSMigrationError) }
    /// A migration was cancelled: 134120, `NSMigrationCancelledError`.
    public static var migrationCancelled: Self { Self(rawValue: NSMigrationCancelledError) }
    /// The model that a store was made with cannot be found: 134130, `NSMigrationMissingSourceModelError`.
    public static var migrationMissingSourceModel: Self { Self(rawValue: NSMigrationMissingSourceModelError) }
    /// There is no mapping between two models: 134140, `NSMigrationMissingMappingModelError`.
    public static var migrationMissingMappingModel: Self {
        Self(rawValue: NSMigrationMissingMappingModelError)
    }
    /// The source store of a migration cannot be read: 134150, `NSMigrationManagerSourceStoreError`.
    public static var migrationManagerSourceStore: Self { Self(rawValue: NSMigrationManagerSourceStoreError) }
    /// The destination store of a migration cannot be written: 134160,
    /// `NSMigrationManagerDestinationStoreError`.
    public static var migrationManagerDestinationStore: Self {
        Self(rawValue: NSMigrationManagerDestinationStoreError)
    }
    /// An entity migration policy failed: 134170, `NSEntityMigrationPolicyError`.
    public static var entityMigrationPolicy: Self { Self(rawValue: NSEntityMigrationPolicyError) }
    /// The database reported an error without a code of its own: 134180, `NSSQLiteError`.
    public static var sqlite: Self { Self(rawValue: NSSQLiteError) }
    /// A mapping between two models cannot be inferred: 134190, `NSInferredMappingModelError`.
    public static var inferredMappingModel: Self { Self(rawValue: NSInferredMappingModelError) }
    /// External records could not be imported: 134200, `NSExternalRecordImportError`.
    public static var externalRecordImport: Self { Self(rawValue: NSExternalRecordImportError) }
}

extension CocoaError {
    /// The code `CocoaError.Code.managedObjectValidation`: 1550.
    public static var managedObjectValidation: Code { .managedObjectValidation }
    /// The code `CocoaError.Code.validationMultipleErrors`: 1560.
    public static var validationMultipleErrors: Code { .validationMultipleErrors }
    /// The code `CocoaError.Code.validationMissingMandatoryProperty`: 1570.
    public static var validationMissingMandatoryProperty: Code { .validationMissingMandatoryProperty }
    /// The code `CocoaError.Code.validationRelationshipLacksMinimumCount`: 1580.
    public static var validationRelationshipLacksMinimumCount: Code {
        .validationRelationshipLacksMinimumCount
    }
    /// The code `CocoaError.Code.validationRelationshipExceedsMaximumCount`: 1590.
    public static var validationRelationshipExceedsMaximumCount: Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// The code `CocoaError.Code.validationRelationshipDeniedDelete`: 1600.
    public static var validationRelationshipDeniedDelete: Code { .validationRelationshipDeniedDelete }
    /// The code `CocoaError.Code.validationNumberTooLarge`: 1610.
    public static var validationNumberTooLarge: Code { .validationNumberTooLarge }
    /// The code `CocoaError.Code.validationNumberTooSmall`: 1620.
    public static var validationNumberTooSmall: Code { .validationNumberTooSmall }
    /// The code `CocoaError.Code.validationDateTooLate`: 1630.
    public static var validationDateTooLate: Code { .validationDateTooLate }
    /// The code `CocoaError.Code.validationDateTooSoon`: 1640.
    public static var validationDateTooSoon: Code { .validationDateTooSoon }
    /// The code `CocoaError.Code.validationInvalidDate`: 1650.
    public static var validationInvalidDate: Code { .validationInvalidDate }
    /// The code `CocoaError.Code.validationStringTooLong`: 1660.
    public static var validationStringTooLong: Code { .validationStringTooLong }
    /// The code `CocoaError.Code.validationStringTooShort`: 1670.
    public static var validationStringTooShort: Code { .validationStringTooShort }
    /// The code `CocoaError.Code.validationStringPatternMatching`: 1680.
    public static var validationStringPatternMatching: Code { .validationStringPatternMatching }
    /// The code `CocoaError.Code.managedObjectContextLocking`: 132000.
    public static var managedObjectContextLocking: Code { .managedObjectContextLocking }
    /// The code `CocoaError.Code.persistentStoreCoordinatorLocking`: 132010.
    public static var persistentStoreCoordinatorLocking: Code { .persistentStoreCoordinatorLocking }
    /// The code `CocoaError.Code.managedObjectReferentialIntegrity`: 133000.
    public static var managedObjectReferentialIntegrity: Code { .managedObjectReferentialIntegrity }
    /// The code `CocoaError.Code.managedObjectExternalRelationship`: 133010.
    public static var managedObjectExternalRelationship: Code { .managedObjectExternalRelationship }
    /// The code `CocoaError.Code.managedObjectMerge`: 133020.
    public static var managedObjectMerge: Code { .managedObjectMerge }
    /// The code `CocoaError.Code.managedObjectConstraintMerge`: 133021.
    public static var managedObjectConstraintMerge: Code { .managedObjectConstraintMerge }
    /// The code `CocoaError.Code.persistentStoreInvalidType`: 134000.
    public static var persistentStoreInvalidType: Code { .persistentStoreInvalidType }
    /// The code `CocoaError.Code.persistentStoreTypeMismatch`: 134010.
    public static var persistentStoreTypeMismatch: Code { .persistentStoreTypeMismatch }
    /// The code `CocoaError.Code.persistentStoreIncompatibleSchema`: 134020.
    public static var persistentStoreIncompatibleSchema: Code { .persistentStoreIncompatibleSchema }
    /// The code `CocoaError.Code.persistentStoreSave`: 134030.
    public static var persistentStoreSave: Code { .persistentStoreSave }
    /// The code `CocoaError.Code.persistentStoreIncompleteSave`: 134040.
    public static var persistentStoreIncompleteSave: Code { .persistentStoreIncompleteSave }
    /// The code `CocoaError.Code.persistentStoreSaveConflicts`: 134050.
    public static var persistentStoreSaveConflicts: Code { .persistentStoreSaveConflicts }
    /// The code `CocoaError.Code.coreData`: 134060.
    public static var coreData: Code { .coreData }
    /// The code `CocoaError.Code.persistentStoreOperation`: 134070.
    public static var persistentStoreOperation: Code { .persistentStoreOperation }
    /// The code `CocoaError.Code.persistentStoreOpen`: 134080.
    public static var persistentStoreOpen: Code { .persistentStoreOpen }
    /// The code `CocoaError.Code.persistentStoreTimeout`: 134090.
    public static var persistentStoreTimeout: Code { .persistentStoreTimeout }
    /// The code `CocoaError.Code.persistentStoreUnsupportedRequestType`: 134091.
    public static var persistentStoreUnsupportedRequestType: Code { .persistentStoreUnsupportedRequestType }
    /// The code `CocoaError.Code.persistentStoreIncompatibleVersionHash`: 134100.
    public static var persistentStoreIncompatibleVersionHash: Code { .persistentStoreIncompatibleVersionHash }
    /// The code `CocoaError.Code.migration`: 134110.
    public static var migration: Code { .migration }
    /// The code `CocoaError.Code.migrationCancelled`: 134120.
    public static var migrationCancelled: Code { .migrationCancelled }
    /// The code `CocoaError.Code.migrationMissingSourceModel`: 134130.
    public static var migrationMissingSourceModel: Code { .migrationMissingSourceModel }
    /// The code `CocoaError.Code.migrationMissingMappingModel`: 134140.
    public static var migrationMissingMappingModel: Code { .migrationMissingMappingModel }
    /// The code `CocoaError.Code.migrationManagerSourceStore`: 134150.
    public static var migrationManagerSourceStore: Code { .migrationManagerSourceStore }
    /// The code `CocoaError.Code.migrationManagerDestinationStore`: 134160.
    public static var migrationManagerDestinationStore: Code { .migrationManagerDestinationStore }
    /// The code `CocoaError.Code.entityMigrationPolicy`: 134170.
    public static var entityMigrationPolicy: Code { .entityMigrationPolicy }
    /// The code `CocoaError.Code.sqlite`: 134180.
    public static var sqlite: Code { .sqlite }
    /// The code `CocoaError.Code.inferredMappingModel`: 134190.
    public static var inferredMappingModel: Code { .inferredMappingModel }
    /// The code `CocoaError.Code.externalRecordImport`: 134200.
    public static var externalRecordImport: Code { .externalRecordImport }
}
