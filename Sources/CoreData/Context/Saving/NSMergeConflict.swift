import CoreDataModelFormat
import CoreDataStore
public import Foundation

/// A conflict between an object and its row, which changed since the context read it.
///
/// There are two situations:
/// - The coordinator has a newer row than the context, since another of its contexts saved. That row is the
///   `cachedSnapshot`, and there is no `persistedSnapshot`.
/// - The store has a newer row than the coordinator, since another coordinator or process saved. The
///   coordinator's row is the `cachedSnapshot` and the store's the `persistedSnapshot`.
///
/// Snapshots have the values of attributes and, as object IDs, of to-one relationships; `NSNull` stands for
/// nil. Where the row was deleted, its snapshot is nil and `newVersionNumber` 0.
///
/// Unlike Apple's: `objectSnapshot` has the object's present values, not those that the context read.
open class NSMergeConflict: NSObject {
    /// The object in conflict.
    public let sourceObject: NSManagedObject
    /// The object's present values; nil if it is deleted.
    public let objectSnapshot: [String: Any]?
    /// The row that the coordinator has.
    public let cachedSnapshot: [String: Any]?
    /// The row that the store has, if the coordinator did not know it.
    public let persistedSnapshot: [String: Any]?
    /// The version of the row now; 0 if it is deleted.
    public let newVersionNumber: Int
    /// The version of the row that the context read.
    public let oldVersionNumber: Int
    /// The newest row, when the conflict comes from the framework.
    private final var newest: Snapshot?

    /// Makes a conflict, for tests and policies of an app's own.
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

    /// Makes the conflict of an object with the coordinator's and the store's row.
    ///
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
        return sourceObject.registry?.context.flatMap {
            $0.faultHandler.freshSnapshot(for: sourceObject, in: $0)
        }
    }

    /// The object's ID, both versions and both snapshots.
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

/// A conflict between objects that share values which a uniqueness constraint allows only once.
open class NSConstraintConflict: NSObject {
    /// The names of the properties that are unique together.
    public let constraint: [String]
    /// The values that the objects share, by name of the property.
    public private(set) final lazy var constraintValues: [String: Any] = values()
    /// The object whose row has the values in the store, if there is one.
    public let databaseObject: NSManagedObject?
    /// The values of that row by name; nil without a `databaseObject`.
    public private(set) final lazy var databaseSnapshot: [String: Any]? =
        databaseObject?.snapshotValues(of: databaseRow)
    /// The objects of the save that want the values.
    public let conflictingObjects: [NSManagedObject]
    /// The values that each of `conflictingObjects` has in the save, in their order.
    public var conflictingSnapshots: [[AnyHashable: Any]] { snapshots }
    private final lazy var snapshots: [[String: Any]] =
        zip(conflictingObjects, conflictingRows).map { $0.snapshotValues(of: $1) ?? [:] }
    /// The row of which `databaseSnapshot` is made on first use, since merge policies rarely read it.
    private final let databaseRow: Snapshot?
    private final let conflictingRows: [Snapshot?]

    /// Makes a conflict, for tests and policies of an app's own.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.conflictingObjects = conflictingObjects
        (databaseRow, conflictingRows) = (nil, [])
        super.init()
        self.databaseSnapshot = databaseSnapshot.map(Self.named)
        snapshots = conflictingSnapshots.compactMap { ($0 as? [AnyHashable: Any]).map(Self.named) }
        _ = constraintValues
    }

    /// Makes the conflict of a save.
    ///
    /// - Parameters:
    ///   - row: The row of the database object.
    ///   - rows: The rows of the objects in conflict, which do not change any more.
    init(
        _ constraint: [String], _ databaseObject: NSManagedObject?, row: Snapshot?,
        _ objects: [NSManagedObject], rows: [Snapshot?]
    ) {
        self.constraint = constraint
        self.databaseObject = databaseObject
        conflictingObjects = objects
        (databaseRow, conflictingRows) = (row, rows)
        super.init()
        // Objects that a row refers to can be made only while its own object is in the context.
        if ([row] + rows).contains(where: { $0?.hasReferences ?? false }) {
            _ = (constraintValues, databaseSnapshot, snapshots)
        }
    }

    private static func named(_ snapshot: [AnyHashable: Any]) -> [String: Any] {
        Dictionary(snapshot.compactMap { key, value in (key as? String).map { ($0, value) } }) { $1 }
    }

    private final func values() -> [String: Any] {
        let object = conflictingObjects.first ?? databaseObject
        let row = conflictingRows.first ?? databaseRow
        return Dictionary(
            uniqueKeysWithValues: constraint.map { name in
                guard let object, let row, let slot = object.runtime.slot(named: name),
                    let column = slot.column
                else { return (name, object?.value(forKey: name) ?? NSNull()) }
                return (name, object.storedValue(of: row, column: column, slot) ?? NSNull())
            })
    }

    /// Makes a conflict over no property.
    public convenience override init() {
        self.init(
            constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    /// The constraint and the IDs of the objects.
    open override var description: String {
        let ids = conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
        let holder = databaseObject.map { "\($0.objectID)" } ?? "none"
        return
            "NSConstraintConflict for constraint (\(constraint.joined(separator: ", "))): database: \(holder), "
            + "conflictedObjects: (\(ids))"
    }
}

extension NSManagedObject {
    /// Returns the attributes and to-one relationships of a row by name.
    final func snapshotValues(of row: Snapshot?) -> [String: Any]? {
        guard let row else { return nil }
        var result = [String: Any](minimumCapacity: runtime.columns.count)
        for (column, slot) in runtime.columns.enumerated() {
            let value = storedValue(of: row, column: column, slot)
            result[slot.name] = NSManagedObject.unboxed(value)?.objectID ?? value ?? NSNull()
        }
        return result
    }
}
