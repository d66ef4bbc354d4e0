public import CoreData

/// A class whose objects go when the service has confirmed that they may. The model has a Boolean attribute of the
/// name `markedForRemoteDeletion`, with the default value false.
///
/// Marking an object takes it out of lists whose predicate says so; a change processor tells the service, and marks
/// it for local deletion when that is done.
public protocol RemoteDeletable: NSManagedObject {
    var markedForRemoteDeletion: Bool { get set }
    /// Has the service delete the object, and then this store.
    func markForRemoteDeletion()
}

extension RemoteDeletable {
    private static var key: String { "markedForRemoteDeletion" }

    public static var markedForRemoteDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == true", key)
    }

    public static var notMarkedForRemoteDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == false", key)
    }

    public func markForRemoteDeletion() {
        markedForRemoteDeletion = true
    }

    /// Whether the object was marked since it was last fetched or saved.
    public var changedForRemoteDeletion: Bool {
        changedValue(forKey: Self.key) as? Bool == true
    }
}

extension RemoteDeletable where Self: DelayedDeletable {
    /// What is marked for deletion neither here nor at the service: what belongs in a list.
    public static var notMarkedForDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(notMarkedForRemoteDeletionPredicate)
    }

    /// What the service is to delete: marked for it, and not done with.
    public static var waitingForRemoteDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(markedForRemoteDeletionPredicate)
    }
}
