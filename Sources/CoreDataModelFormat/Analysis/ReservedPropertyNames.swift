/// Names a property cannot have because `NSObject` or `NSManagedObject` has a member of the name, which the
/// property's accessor would replace.
enum ReservedPropertyNames {
    static func contains(_ name: String) -> Bool { names.contains(name) }

    /// Whether key-value access knows a state of every object by the name, `isDeleted` by "deleted": the property takes
    /// its place, and nothing else changes.
    static func isState(_ name: String) -> Bool { states.contains(name) }

    private static let states: Set<String> = ["inserted", "updated", "deleted", "fault"]

    private static let names: Set<String> = [
        // NSObject
        "self", "class", "superclass", "description", "debugDescription", "hash", "isProxy", "zone", "copy",
        "mutableCopy", "retain", "release", "autorelease", "retainCount", "dealloc", "finalize",
        "observationInfo",
        // NSManagedObject
        "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
        "hasChanges", "hasPersistentChangedValues", "hasFault", "faultingState", "changedValues",
        "changedValuesForCurrentEvent", "committedValues",
        "contextShouldIgnoreUnmodeledPropertyChanges",
        "awakeFromFetch", "awakeFromInsert", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
        "didTurnIntoFault", "validateForInsert", "validateForUpdate", "validateForDelete",
    ]
}
