public import CoreData

/// A class whose objects are records of a service, once it has given them an ID. The model has an optional string
/// attribute of the name `remoteIdentifier`.
public protocol RemoteObject: NSManagedObject {
    /// Nil until the service has the object.
    var remoteIdentifier: RemoteRecordID? { get set }
}

extension RemoteObject {
    /// The objects of some records.
    public static func predicateForRemoteIdentifiers(_ ids: [RemoteRecordID]) -> NSPredicate {
        NSPredicate(format: "remoteIdentifier IN %@", argumentArray: [ids])
    }

    /// What the service does not have yet.
    public static var notUploadedPredicate: NSPredicate {
        NSPredicate(format: "remoteIdentifier == nil")
    }
}

extension RemoteObject where Self: DelayedDeletable & RemoteDeletable {
    /// What is to be sent: neither the service has it, nor is it marked for deletion.
    public static var waitingForUploadPredicate: NSPredicate {
        notUploadedPredicate.and(notMarkedForDeletionPredicate)
    }
}
