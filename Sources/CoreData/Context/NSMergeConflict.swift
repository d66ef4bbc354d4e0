import CoreDataModelFormat
import CoreDataStore
public import Foundation

/// An object whose row changed in the store since this context read it.
open class NSMergeConflict: NSObject {
    public let sourceObject: NSManagedObject
    /// The object's present values; nil if it is deleted.
    public let objectSnapshot: [String: Any]?
    /// What the context knew of the row.
    public let cachedSnapshot: [String: Any]?
    /// What the store has now; nil if the row is gone.
    public let persistedSnapshot: [String: Any]?
    public let newVersionNumber: Int
    public let oldVersionNumber: Int
    /// The row the store has now, when the conflict comes from the framework.
    final let persisted: Snapshot?

    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.isDeleted ? nil : srcObject.attributeValues(of: srcObject.row)
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        persisted = nil
    }

    init(_ object: NSManagedObject, newVersion: Int, oldVersion: Int, persisted: Snapshot?) {
        sourceObject = object
        objectSnapshot = object.isDeleted ? nil : object.attributeValues(of: object.row)
        cachedSnapshot = object.attributeValues(of: object.committed)
        persistedSnapshot = object.attributeValues(of: persisted)
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        self.persisted = persisted
    }

    open override var description: String {
        "NSMergeConflict for NSManagedObject (\(sourceObject.objectID)) with oldVersion = \(oldVersionNumber) and "
            + "newVersion = \(newVersionNumber) and old object snapshot = \(cachedSnapshot ?? [:]) and new cached "
            + "row = \(persistedSnapshot ?? [:])"
    }
}

/// Objects that want a value another one has, though a constraint says it is unique.
open class NSConstraintConflict: NSObject {
    public let constraint: [String]
    public let constraintValues: [String: Any]
    /// The object whose row has the values in the store, if one has.
    public let databaseObject: NSManagedObject?
    public let databaseSnapshot: [String: Any]?
    public let conflictingObjects: [NSManagedObject]
    public let conflictingSnapshots: [[AnyHashable: Any]]

    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot.map { snapshot in
            Dictionary(snapshot.compactMap { key, value in (key as? String).map { ($0, value) } }) { $1 }
        }
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] }
        let source = conflictingObjects.first ?? databaseObject
        constraintValues = Dictionary(
            uniqueKeysWithValues: contraint.map { ($0, source?.value(forKey: $0) ?? NSNull()) })
    }

    /// A conflict over nothing.
    public convenience override init() {
        self.init(
            constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }
}

extension NSManagedObject {
    /// The attributes of a row by name, nil values as `NSNull`.
    final func attributeValues(of row: Snapshot?) -> [String: Any]? {
        guard let row else { return nil }
        var result: [String: Any] = [:]
        for (column, slot) in runtime.compiled.columns.enumerated() where slot.attribute != nil {
            result[slot.name] = storedValue(of: row, column: column, slot) ?? NSNull()
        }
        return result
    }
}
