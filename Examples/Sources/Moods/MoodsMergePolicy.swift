import CoreData

/// Makes one of a region that two contexts inserted at once, and counts again what came together.
final class MoodsMergePolicy: NSMergePolicy {
    enum Mode {
        /// The user's changes win.
        case local
        /// The server's values win.
        case remote
    }

    init(mode: Mode) {
        switch mode {
        case .local: super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        case .remote: super.init(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        }
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try super.resolve(constraintConflicts: list)
        for country in list.objects(of: Country.self) { country.updateCounts() }
        for continent in list.objects(of: Continent.self) { continent.updateCounts() }
    }
}

extension [NSConstraintConflict] {
    /// The objects of a class that the conflicts are about and that outlived them.
    fileprivate func objects<Entity: NSManagedObject>(of type: Entity.Type) -> [Entity] {
        flatMap { conflict in conflict.conflictingObjects + [conflict.databaseObject].compactMap { $0 } }
            .compactMap { $0 as? Entity }
            .filter { $0.managedObjectContext != nil && !$0.isDeleted }
    }
}
