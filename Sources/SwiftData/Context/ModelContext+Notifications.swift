public import Foundation
import CoreData

extension ModelContext {
    /// Posted with a context as its object before the context writes changes.
    public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
    /// Posted with a context as its object after the context has written changes, with the identifiers of
    /// models by the keys of `NotificationKey`.
    public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

    /// What the user information of a notification has; the keys are the raw values.
    public enum NotificationKey: String, Sendable {
        /// An array of the `PersistentIdentifier`s of inserted models.
        case insertedIdentifiers = "inserted"
        /// An array of the `PersistentIdentifier`s of updated models.
        case updatedIdentifiers = "updated"
        /// An array of the `PersistentIdentifier`s of deleted models.
        case deletedIdentifiers = "deleted"
        /// Whether all models are invalid; no notification of this framework has it.
        case invalidatedAllIdentifiers = "invalidatedAll"
        /// The query generation; no notification of this framework has it.
        case queryGeneration = "queryGeneration"
    }

    /// Posts `didSave`.
    func announceSave(_ idInfo: [AnyHashable: Any]) {
        var info: [String: [PersistentIdentifier]] = [:]
        let keys: [(String, NotificationKey)] = [
            (NSInsertedObjectIDsKey, .insertedIdentifiers), (NSUpdatedObjectIDsKey, .updatedIdentifiers),
            (NSDeletedObjectIDsKey, .deletedIdentifiers),
        ]
        for (key, own) in keys {
            guard let ids = idInfo[key] as? Set<NSManagedObjectID> else { continue }
            info[own.rawValue] = identifiers(of: ids)
        }
        NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
    }
}
