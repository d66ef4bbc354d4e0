public import CoreData

/// A class whose objects correspond to records of a service, after the service has given them an ID.
///
/// The model needs an optional string attribute with the name `remoteIdentifier`.
public protocol RemoteObject: NSManagedObject {
    /// The service's ID of the object; nil before the service has the object.
    var remoteIdentifier: RemoteRecordID? { get set }
}

extension RemoteObject {
    /// Returns the condition that an object corresponds to one of the given records.
    public static func predicateForRemoteIdentifiers(_ ids: [RemoteRecordID]) -> NSPredicate {
        NSPredicate(format: "remoteIdentifier IN %@", argumentArray: [ids])
    }

    /// The condition that the service does not have an object yet.
    public static var notUploadedPredicate: NSPredicate {
        NSPredicate(format: "remoteIdentifier == nil")
    }
}

extension RemoteObject where Self: DelayedDeletable & RemoteDeletable {
    /// The condition that an object is to be sent: the service does not have it, and it is not marked for
    /// deletion.
    public static var waitingForUploadPredicate: NSPredicate {
        notUploadedPredicate.and(notMarkedForDeletionPredicate)
    }
}
