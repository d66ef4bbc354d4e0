/// Names a property cannot have because `NSObject` or `NSManagedObject` has a member of the name, which the
/// property's accessor would replace.
enum ReservedPropertyNames {
    static func contains(_ name: String) -> Bool { names.contains(name) }

    private static let names: Set<String> = [
        // NSObject
        "self", "class", "superclass", "description", "debugDescription", "hash", "isProxy", "zone", "copy",
        "mutableCopy", "retain", "release", "autorelease", "retainCount", "dealloc", "finalize",
        "observationInfo",
        // NSManagedObject
        "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
        "hasChanges", "hasPersistentChangedValues", "hasFault", "faultingState", "inserted", "updated",
        "deleted",
        "fault", "changedValues", "changedValuesForCurrentEvent", "committedValues",
        "contextShouldIgnoreUnmodeledPropertyChanges",
        "awakeFromFetch", "awakeFromInsert", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
        "didTurnIntoFault", "validateForInsert", "validateForUpdate", "validateForDelete",
    ]
}
