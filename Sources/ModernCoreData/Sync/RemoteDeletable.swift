public import CoreData

/// A class whose objects are deleted once the service has confirmed that they may be.
///
/// The model has a Boolean attribute of the name `markedForRemoteDeletion`, with the default value false.
/// Marking an object takes it out of lists whose predicate says so; a change processor tells the service, and
/// marks it for local deletion when that is done.
public protocol RemoteDeletable: NSManagedObject {
    /// Whether the service is to delete the object.
    var markedForRemoteDeletion: Bool { get set }
    /// Has the service delete the object, and afterwards this store.
    func markForRemoteDeletion()
}

extension RemoteDeletable {
    private static var key: String { "markedForRemoteDeletion" }

    /// The condition that an object is marked for deletion at the service.
    public static var markedForRemoteDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == true", key)
    }

    /// The condition that an object is not marked for deletion at the service.
    public static var notMarkedForRemoteDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == false", key)
    }

    /// Sets the mark.
    public func markForRemoteDeletion() {
        markedForRemoteDeletion = true
    }

    /// Whether the object was marked since it was last fetched or saved.
    public var changedForRemoteDeletion: Bool {
        changedValue(forKey: Self.key) as? Bool == true
    }
}

extension RemoteDeletable where Self: DelayedDeletable {
    /// The condition that an object is marked for deletion neither here nor at the service, and so belongs in
    /// a list.
    public static var notMarkedForDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(notMarkedForRemoteDeletionPredicate)
    }

    /// The condition that the service still has to delete an object: it is marked for that, and not yet for
    /// deletion here.
    public static var waitingForRemoteDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(markedForRemoteDeletionPredicate)
    }
}
