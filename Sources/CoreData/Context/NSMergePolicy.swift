import CoreDataStore
public import Foundation

/// Decides what a save does when the store is not what the context thinks it is.
open class NSMergePolicy: NSObject {
    public let mergeType: NSMergePolicyType

    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
    }

    /// Fails the save and reports the conflicts.
    public class var error: NSMergePolicy { Self.standard[.errorMergePolicyType]! }
    /// Gives up the context's changes to objects in conflict.
    public class var rollback: NSMergePolicy { Self.standard[.rollbackMergePolicyType]! }
    /// Writes the context's values over the store's.
    public class var overwrite: NSMergePolicy { Self.standard[.overwriteMergePolicyType]! }
    /// Property by property; where both changed, the context wins.
    public class var mergeByPropertyObjectTrump: NSMergePolicy {
        Self.standard[.mergeByPropertyObjectTrumpMergePolicyType]!
    }
    /// Property by property; where both changed, the store wins.
    public class var mergeByPropertyStoreTrump: NSMergePolicy {
        Self.standard[.mergeByPropertyStoreTrumpMergePolicyType]!
    }

    nonisolated(unsafe) private static let standard: [NSMergePolicyType: NSMergePolicy] = Dictionary(
        uniqueKeysWithValues: NSMergePolicyType.allCases.map { ($0, NSMergePolicy(merge: $0)) })

    /// Resolves conflicts of either kind.
    open func resolve(mergeConflicts list: [Any]) throws {
        try resolve(optimisticLockingConflicts: list.compactMap { $0 as? NSMergeConflict })
    }

    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw Self.failure(NSManagedObjectMergeError, list) }
        for conflict in list {
            guard let persisted = conflict.persisted else {
                throw Self.failure(NSManagedObjectMergeError, [conflict])
            }
            conflict.sourceObject.rebase(onto: persisted, mergeType)
        }
    }

    /// Constraint conflicts fail the save under every standard policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        throw Self.failure(NSManagedObjectConstraintMergeError, list)
    }

    private static func failure(_ code: Int, _ conflicts: [NSObject]) -> NSError {
        CoreDataError.error(code, [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }
}

public enum NSMergePolicyType: UInt, Sendable, CaseIterable {
    case errorMergePolicyType = 0
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    case overwriteMergePolicyType = 3
    case rollbackMergePolicyType = 4
}

public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

extension NSManagedObject {
    /// Puts the object's changes on top of what the store has now, as the policy says.
    fileprivate final func rebase(onto persisted: Snapshot, _ policy: NSMergePolicyType) {
        guard let base = committed, let row, !isDeleted else {
            // A deletion goes ahead against the newer row.
            if policy == .rollbackMergePolicyType { flags.remove(.deleted) }
            committed = persisted
            return
        }
        if policy == .rollbackMergePolicyType {
            side = []
            flags.remove(.updated)
            return adopt(persisted)
        }
        let merged = persisted.clone()
        for column in row.layout.columns.indices {
            let changedHere = !row.isEqual(column, to: base)
            let changedThere = !persisted.isEqual(column, to: base)
            let takesMine =
                switch policy {
                case .overwriteMergePolicyType: true
                case .mergeByPropertyStoreTrumpMergePolicyType: changedHere && !changedThere
                default: changedHere
                }
            if takesMine { merged.copyColumn(column, from: row) }
        }
        adopt(persisted)
        self.row = merged
        words = merged.words
        flags.insert(.ownsRow)
        awake(fromSnapshotEvents: .mergePolicy)
    }
}
