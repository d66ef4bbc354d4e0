public import Foundation

extension CocoaError {
    /// The object that failed to validate.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

    /// The property that failed to validate.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

    /// The predicate a value does not satisfy.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

    /// The value that failed to validate.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

    /// The stores involved.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

    /// The objects involved.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }

    /// The merge conflicts of a save.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
