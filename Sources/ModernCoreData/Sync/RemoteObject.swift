public import CoreData

/// A class whose objects are records of a service, once it has given them an ID.
///
/// The model has an optional string attribute of the name `remoteIdentifier`.
public protocol RemoteObject: NSManagedObject {
    /// The service's ID of the object; nil until the service has it.
    var remoteIdentifier: RemoteRecordID? { get set }
}

extension RemoteObject {
    /// Returns the condition that an object stands for one of some records.
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
