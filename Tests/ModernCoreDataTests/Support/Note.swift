import CoreData
import ModernCoreData

/// The object of the tests' app: a note, which the service has as well.
class Note: NSManagedObject {
    private static let titleProperty = ManagedProperty("title")
    private static let createdProperty = ManagedProperty("created")
    private static let tagsProperty = ManagedProperty("tags")
    private static let notebookProperty = ManagedProperty("notebook")
    private static let remoteIdentifierProperty = ManagedProperty("remoteIdentifier")
    private static let deletionDateProperty = ManagedProperty("markedForDeletionDate")
    private static let remoteDeletionProperty = ManagedProperty("markedForRemoteDeletion")

    var title: String? {
        get { ManagedAccess.read(self, Self.titleProperty) }
        set { ManagedAccess.write(self, Self.titleProperty, newValue) }
    }
    var created: Date? {
        get { ManagedAccess.read(self, Self.createdProperty) }
        set { ManagedAccess.write(self, Self.createdProperty, newValue) }
    }
    var tags: [String]? {
        get { value(forKey: "tags") as? [String] }
        set { setValue(newValue, forKey: "tags") }
    }
    var notebook: Notebook? {
        get { ManagedAccess.read(self, Self.notebookProperty) }
        set { ManagedAccess.write(self, Self.notebookProperty, newValue) }
    }
    var remoteIdentifier: RemoteRecordID? {
        get { ManagedAccess.read(self, Self.remoteIdentifierProperty) }
        set { ManagedAccess.write(self, Self.remoteIdentifierProperty, newValue) }
    }
    var markedForDeletionDate: Date? {
        get { ManagedAccess.read(self, Self.deletionDateProperty) }
        set { ManagedAccess.write(self, Self.deletionDateProperty, newValue) }
    }
    var markedForRemoteDeletion: Bool {
        get { ManagedAccess.read(self, Self.remoteDeletionProperty) }
        set { ManagedAccess.write(self, Self.remoteDeletionProperty, newValue) }
    }
}

extension Note: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [sortDescriptor(.title)] }
    static var defaultPredicate: NSPredicate { notMarkedForDeletionPredicate }
}

extension Note: KeyCodable {
    enum Key: String {
        case title, created, tags, notebook
    }
}

extension Note: RemoteObject, DelayedDeletable, RemoteDeletable {}

/// A note of a subentity of its own.
final class Checklist: Note {}

/// A notebook has notes. Its entity's name differs from the class's.
final class Notebook: NSManagedObject, Managed {
    static var entityName: String { "Book" }

    private static let nameProperty = ManagedProperty("name")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
}
