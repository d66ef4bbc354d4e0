import CoreDataStore
import CoreDataValues
public import Foundation

/// The kind of a change of one row.
public enum NSPersistentHistoryChangeType: Int, @unchecked Sendable {
    /// The row was inserted.
    case insert = 0
    /// The row was updated.
    case update = 1
    /// The row was deleted.
    case delete = 2
}

/// A change that one transaction made to one object.
///
/// Unlike Apple's: a change has its transaction with every result type.
open class NSPersistentHistoryChange: NSObject, NSCopying {
    private let record: HistoryChange
    private let owner: NSPersistentHistoryTransaction

    init(_ record: HistoryChange, in transaction: NSPersistentHistoryTransaction) {
        self.record = record
        owner = transaction
    }

    // MARK: Properties

    /// The number of the change, which grows with each change of a store and is never used again.
    open var changeID: Int64 { record.number }

    /// The ID of the object, which need not exist any more.
    open var changedObjectID: NSManagedObjectID { owner.source.objectID(record.row) }

    /// The kind of the change.
    open var changeType: NSPersistentHistoryChangeType {
        switch record.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// The values that a deleted object left behind, by name: the attributes that are preserved after
    /// deletion.
    ///
    /// Nil for other changes, and if there is none. Each access converts the values.
    open var tombstone: [AnyHashable: Any]? {
        guard !record.tombstone.isEmpty else { return nil }
        var values: [AnyHashable: Any] = [:]
        for (slot, value) in record.tombstone {
            let (name, object) = owner.source.value(value, at: slot, of: record.row.entity)
            values[name] = object
        }
        return values
    }

    /// The transaction that the change is part of.
    open var transaction: NSPersistentHistoryTransaction? { owner }

    /// The properties that an update wrote; nil for other changes.
    ///
    /// Empty for an object that was only moved in an ordered relationship. Unlike Apple's: such an object
    /// keeps its version and does not count as updated; all elements of a composite attribute count as the
    /// one attribute.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard record.kind == .update else { return nil }
        return Set(record.updatedSlots.map { owner.source.property($0, of: record.row.entity) })
    }

    // MARK: Fetching

    /// The entity that fetch requests on changes are for.
    ///
    /// Its attributes are `changeID`, `changeType`, `changedEntity`, `changedObjectID`, `token` and
    /// `updatedProperties`, its relationship `transaction`.
    open class var entityDescription: NSEntityDescription? {
        HistorySource.entity(named: HistoryModel.changeName)
    }

    /// Returns `entityDescription`; the context is not used.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request on changes, for the `fetchRequest` of a change request.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(of: entityDescription)
    }

    // MARK: NSObject

    /// Returns the change itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both are the same change of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.changeID == changeID && other.owner.storeID == owner.storeID
    }

    /// A hash value of the change's number.
    open override var hash: Int { changeID.hashValue }

    /// The kind, object and number of the change, as text.
    open override var description: String {
        "\(Printing.head(self)) (\(changeType) of \(changedObjectID.uriRepresentation()), number: \(changeID))"
    }
}
