import CoreDataSQL
import CoreDataStore
import CoreDataValues
public import Foundation

/// What happened to the row of one object.
public enum NSPersistentHistoryChangeType: Int, @unchecked Sendable {
    case insert = 0
    case update = 1
    case delete = 2
}

/// What one transaction did to one object.
open class NSPersistentHistoryChange: NSObject, NSCopying {
    private let record: HistoryChange
    private let owner: NSPersistentHistoryTransaction

    init(_ record: HistoryChange, in transaction: NSPersistentHistoryTransaction) {
        self.record = record
        owner = transaction
    }

    // MARK: What it says

    /// Grows with each change of a store and is never used again.
    open var changeID: Int64 { record.number }

    /// The object, which need not exist any more.
    open var changedObjectID: NSManagedObjectID { owner.source.objectID(record.row) }

    open var changeType: NSPersistentHistoryChangeType {
        switch record.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// What a deleted object left behind, by name: the attributes that are preserved after deletion. Nil for other
    /// changes, and if there is none.
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

    /// What an update wrote; nil for other changes.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard record.kind == .update else { return nil }
        return Set(record.updatedSlots.map { owner.source.property($0, of: record.row.entity) })
    }

    // MARK: Fetching

    /// The entity that fetch requests on changes are for. Its attributes are `changeID`, `changeType`,
    /// `changedEntity`, `changedObjectID`, `token` and `updatedProperties`, its relationship `transaction`.
    open class var entityDescription: NSEntityDescription? {
        HistorySource.entity(named: HistoryModel.changeName)
    }

    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request on changes, for the `fetchRequest` of a change request.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(of: entityDescription)
    }

    // MARK: NSObject

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.changeID == changeID && other.owner.storeID == owner.storeID
    }

    open override var hash: Int { changeID.hashValue }

    open override var description: String {
        "\(Printing.head(self)) (\(changeType) of \(changedObjectID.uriRepresentation()), number: \(changeID))"
    }
}
