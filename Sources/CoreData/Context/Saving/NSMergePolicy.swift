public import Foundation

/// The rule for what a save does about rows that changed since the context read them, and about unique values
/// that are taken.
///
/// One of the five standard policies, or a subclass that overrides `resolve(mergeConflicts:)` or one of the
/// methods behind it. It runs on the context's queue.
open class NSMergePolicy: NSObject {
    /// The standard policy that this one is, or that a subclass builds on.
    public let mergeType: NSMergePolicyType

    /// Makes a policy of a type.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
    }

    /// Fails the save and reports the conflicts; the default of contexts.
    public class var error: NSMergePolicy { Self.standard[.errorMergePolicyType]! }
    /// Gives up the context's changes to objects in conflict.
    ///
    /// Unlike Apple's: leaves members of a one-to-many relationship to the members themselves.
    public class var rollback: NSMergePolicy { Self.standard[.rollbackMergePolicyType]! }
    /// Writes the context's values over the store's, also those that the context did not change.
    ///
    /// Unlike Apple's: a row that was deleted meanwhile is written again, under its key.
    public class var overwrite: NSMergePolicy { Self.standard[.overwriteMergePolicyType]! }
    /// Merges property by property; where both sides changed one, the context wins.
    ///
    /// Unlike Apple's: a changed object whose row was deleted meanwhile is written again, under its key.
    public class var mergeByPropertyObjectTrump: NSMergePolicy {
        Self.standard[.mergeByPropertyObjectTrumpMergePolicyType]!
    }
    /// Merges property by property; where both sides changed one, the store wins.
    ///
    /// Unlike Apple's: a changed object whose row was deleted meanwhile is deleted.
    public class var mergeByPropertyStoreTrump: NSMergePolicy {
        Self.standard[.mergeByPropertyStoreTrumpMergePolicyType]!
    }

    nonisolated(unsafe) private static let standard: [NSMergePolicyType: NSMergePolicy] = Dictionary(
        uniqueKeysWithValues: NSMergePolicyType.allCases.map { ($0, NSMergePolicy(merge: $0)) })

    /// Resolves conflicts of either kind, and is what a save calls.
    ///
    /// Passes each kind on to its own method. A save calls it again as long as other writers bring new
    /// conflicts.
    ///
    /// - Parameter list: `NSMergeConflict` and `NSConstraintConflict` objects.
    /// - Throws: The error that fails the save: in `NSCocoaErrorDomain`, those of
    ///   `resolve(optimisticLockingConflicts:)` and `resolve(constraintConflicts:)`.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts with rows that changed, or were deleted, since the context read them.
    ///
    /// Objects on the other side of relationships follow what was decided, though they are not in conflict.
    ///
    /// - Throws: `NSManagedObjectMergeError` (133020) in `NSCocoaErrorDomain` if the policy is the error
    ///   policy, with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else { throw Self.failure(NSManagedObjectMergeError, list) }
        let resolver = VersionResolver(mergeType)
        for conflict in list { resolver.resolve(conflict) }
    }

    /// Resolves conflicts over unique values.
    ///
    /// The object that has a row in the store keeps it, with its key and ID; inserted ones are merged into it
    /// and leave the context. Of several new objects the first stays. The to-many relationships of the object
    /// that stays then have the members of all of them. Values that were not set do not replace stored ones,
    /// except with the overwrite policy. A saved object that was changed to a taken value replaces the other
    /// row if the context wins, and gets its stored value back if the store wins.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) in `NSCocoaErrorDomain` if the policy is the
    ///   error policy, with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`.
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

/// The standard merge policies by number.
public enum NSMergePolicyType: UInt, Sendable, CaseIterable {
    /// Fails the save and reports the conflicts.
    case errorMergePolicyType = 0
    /// Merges property by property; the store wins.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Merges property by property; the context wins.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// Writes the context's values over the store's.
    case overwriteMergePolicyType = 3
    /// Gives up the context's changes to objects in conflict.
    case rollbackMergePolicyType = 4
}

/// `NSMergePolicy.error` as an object of any type.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// `NSMergePolicy.mergeByPropertyStoreTrump` as an object of any type.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// `NSMergePolicy.mergeByPropertyObjectTrump` as an object of any type.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// `NSMergePolicy.overwrite` as an object of any type.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// `NSMergePolicy.rollback` as an object of any type.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
