public import CoreData

/// A class whose objects are deleted after the service has confirmed their deletion.
///
/// The model needs a Boolean attribute with the name `markedForRemoteDeletion` and the default value false. A
/// marked object disappears from lists whose predicate excludes marked objects. A change processor has the
/// service delete it, and then marks it for local deletion.
public protocol RemoteDeletable: NSManagedObject {
    /// Whether the object is to be deleted at the service.
    var markedForRemoteDeletion: Bool { get set }
    /// Marks the object, so that it is deleted at the service and then in this store.
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

    /// Sets the attribute to true.
    public func markForRemoteDeletion() {
        markedForRemoteDeletion = true
    }

    /// Whether the object was marked since it was last fetched or saved.
    public var changedForRemoteDeletion: Bool {
        changedValue(forKey: Self.key) as? Bool == true
    }
}

extension RemoteDeletable where Self: DelayedDeletable {
    /// The condition that an object is marked neither for local deletion nor for deletion at the service, so
    /// that it belongs in a list.
    public static var notMarkedForDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(notMarkedForRemoteDeletionPredicate)
    }

    /// The condition that an object is still to be deleted at the service: it is marked for that, and not yet
    /// for local deletion.
    public static var waitingForRemoteDeletionPredicate: NSPredicate {
        notMarkedForLocalDeletionPredicate.and(markedForRemoteDeletionPredicate)
    }
}
