import CoreDataModelFormat

/// The names that no property can have, because the property's accessor would replace a member of `NSObject`
/// or `NSManagedObject`.
enum ReservedPropertyNames {
    static func contains(_ name: String) -> Bool { names.contains(name) }

    /// Returns whether key-value access reads a state of every object by this name, such as `isDeleted` by
    /// "deleted".
    ///
    /// A property of this name hides the state, and has no other effect.
    static func isState(_ name: String) -> Bool { states.contains(name) }

    private static let states: Set<String> = ["inserted", "updated", "deleted", "fault"]

    private static let names: Set<String> = [
        // Members of NSObject.
        "self", "class", "superclass", "description", "debugDescription", "hash", "isProxy", "zone", "copy",
        "mutableCopy", "retain", "release", "autorelease", "retainCount", "dealloc", "finalize",
        "observationInfo",
        // Members of NSManagedObject.
        "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
        "hasChanges", "hasPersistentChangedValues", "hasFault", "faultingState", "changedValues",
        "changedValuesForCurrentEvent", "committedValues",
        "contextShouldIgnoreUnmodeledPropertyChanges",
        "awakeFromFetch", "awakeFromInsert", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
        "didTurnIntoFault", "validateForInsert", "validateForUpdate", "validateForDelete",
    ]
}
