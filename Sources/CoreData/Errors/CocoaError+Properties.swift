public import Foundation

extension CocoaError {
    /// The object that failed to validate, under `NSValidationObjectErrorKey`; nil for other errors.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

    /// The property that failed to validate, under `NSValidationKeyErrorKey`; for an element of a composite
    /// attribute its path.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

    /// The predicate that the value does not satisfy, under `NSValidationPredicateErrorKey`.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

    /// The value that failed to validate, under `NSValidationValueErrorKey`; nil where a value is missing.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

    /// The stores that the error is about, under `NSAffectedStoresErrorKey`.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

    /// The objects that the error is about, or their IDs, under `NSAffectedObjectsErrorKey`.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

    /// The merge conflicts of a save, under `NSPersistentStoreSaveConflictsErrorKey`; nil if they are
    /// constraint conflicts.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
