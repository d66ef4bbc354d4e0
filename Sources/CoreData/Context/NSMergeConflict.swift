import CoreDataModelFormat
import CoreDataStore
public import Foundation

/// An object whose row changed since its context read it. There are two situations:
///
/// * The coordinator has a newer row than the context, as another of its contexts saved one. Then that row is the
///   `cachedSnapshot`, and there is no `persistedSnapshot`.
/// * The store has a newer row than the coordinator, as somebody else saved one. Then the coordinator's row is the
///   `cachedSnapshot` and the store's the `persistedSnapshot`.
///
/// Snapshots have the values of attributes and, as object IDs, of to-one relationships; `NSNull` stands for nil. Where
/// the row was deleted, its snapshot is nil and `newVersionNumber` 0.
open class NSMergeConflict: NSObject {
    public let sourceObject: NSManagedObject
    /// The object's present values; nil if it is deleted.
    public let objectSnapshot: [String: Any]?
    /// The row that the coordinator has.
    public let cachedSnapshot: [String: Any]?
    /// The row that the store has, if the coordinator did not know it.
    public let persistedSnapshot: [String: Any]?
    public let newVersionNumber: Int
    public let oldVersionNumber: Int
    /// The newest row, when the conflict comes from the framework.
    private final var newest: Snapshot?

    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.isDeleted ? nil : srcObject.snapshotValues(of: srcObject.row)
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        newVersionNumber = newvers
        oldVersionNumber = oldvers
    }

    /// - Parameter cached: The coordinator's row; nil if it knew that the row is gone.
    convenience init(_ object: NSManagedObject, expected: Int64, cached: Snapshot?, persisted: Snapshot?) {
        let isKnown = cached?.version == persisted?.version
        self.init(
            source: object, newVersion: Int(persisted?.version ?? 0), oldVersion: Int(expected),
            cachedSnapshot: object.snapshotValues(of: cached),
            persistedSnapshot: isKnown ? nil : object.snapshotValues(of: persisted))
        newest = persisted
    }

    /// The row that the object is in conflict with; nil if it is gone.
    final var opponent: Snapshot? {
        if newest != nil || newVersionNumber == 0 { return newest }
        return sourceObject.registry?.context?.faultHandler.freshSnapshot(for: sourceObject)
    }

    open override var description: String {
        let (old, new) =
            persistedSnapshot == nil
            ? ("object snapshot = \(objectSnapshot ?? [:])", "cached row = \(cachedSnapshot ?? [:])")
            : ("cached row = \(cachedSnapshot ?? [:])", "database row = \(persistedSnapshot ?? [:])")
        return
            "NSMergeConflict for NSManagedObject with objectID '\(sourceObject.objectID)' with oldVersion = "
            + "\(oldVersionNumber) and newVersion = \(newVersionNumber) and old \(old) and new \(new)"
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
    public var conflictingSnapshots: [[AnyHashable: Any]] { snapshots }
    private let snapshots: [[String: Any]]

    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot.map(Self.named)
        self.conflictingObjects = conflictingObjects
        snapshots = conflictingSnapshots.compactMap { ($0 as? [AnyHashable: Any]).map(Self.named) }
        constraintValues = Self.values(contraint, of: conflictingObjects.first ?? databaseObject)
    }

    /// - Parameters:
    ///   - row: The row of the database object.
    ///   - rows: Those of the objects in conflict.
    init(
        _ constraint: [String], _ databaseObject: NSManagedObject?, row: Snapshot?,
        _ objects: [NSManagedObject], rows: [Snapshot?]
    ) {
        self.constraint = constraint
        self.databaseObject = databaseObject
        databaseSnapshot = databaseObject?.snapshotValues(of: row)
        conflictingObjects = objects
        snapshots = zip(objects, rows).map { $0.snapshotValues(of: $1) ?? [:] }
        constraintValues = Self.values(constraint, of: objects.first ?? databaseObject)
    }

    private static func named(_ snapshot: [AnyHashable: Any]) -> [String: Any] {
        Dictionary(snapshot.compactMap { key, value in (key as? String).map { ($0, value) } }) { $1 }
    }

    private static func values(_ names: [String], of object: NSManagedObject?) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, object?.value(forKey: $0) ?? NSNull()) })
    }

    /// A conflict over nothing.
    public convenience override init() {
        self.init(
            constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    open override var description: String {
        let ids = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
        let holder = databaseObject.map { "\($0.objectID)" } ?? "none"
        return
            "NSConstraintConflict for constraint (\(constraint.joined(separator: ", "))): database: \(holder), "
            + "conflictedObjects: (\(ids))"
    }
}

extension NSManagedObject {
    /// The attributes and to-one relationships of a row by name.
    final func snapshotValues(of row: Snapshot?) -> [String: Any]? {
        guard let row else { return nil }
        var result = [String: Any](minimumCapacity: runtime.compiled.columns.count)
        for (column, slot) in runtime.compiled.columns.enumerated() {
            let value = storedValue(of: row, column: column, slot)
            result[slot.name] = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
        }
        return result
    }
}
