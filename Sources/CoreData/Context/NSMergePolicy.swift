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

    /// Resolves conflicts of either kind: what a save calls. Passes each kind on to its own method.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts with rows that changed since they were read, or throws.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw Self.failure(NSManagedObjectMergeError, list) }
        let resolver = VersionResolver(mergeType)
        for conflict in list { resolver.resolve(conflict) }
    }

    /// Resolves conflicts over unique values, or throws. The object that has a row in the store keeps it; inserted
    /// ones are merged into it and leave the context.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else {
            throw Self.failure(NSManagedObjectConstraintMergeError, list)
        }
        var resolver = ConstraintResolver(mergeType)
        resolver.resolve(list)
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
