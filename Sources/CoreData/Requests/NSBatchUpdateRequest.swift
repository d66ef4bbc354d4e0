public import Foundation

/// The kind of answer to a batch update.
public enum NSBatchUpdateRequestResultType: UInt, @unchecked Sendable {
    /// A `Bool`: true.
    case statusOnlyResultType = 0
    /// The IDs of the updated objects.
    case updatedObjectIDsResultType = 1
    /// The number of updated objects.
    case updatedObjectsCountResultType = 2
}

/// A request that changes values of all rows that match, without reading them into objects.
///
/// Executed by `NSManagedObjectContext.execute(_:)`, in one transaction per store, and recorded in the
/// history of a store that has one. The objects of contexts do not change: pass the IDs of the result to
/// `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`. No validation is done, and unsaved
/// changes of the context do not count. Needs a SQLite store.
///
/// Executing it throws `NSError` in `NSCocoaErrorDomain`:
/// - 134060 (`NSCoreDataError`): the entity is unknown, `propertiesToUpdate` is empty, or a property is
///   unknown, to-many, not stored or derived, or its value does not fit; the reason names entity and
///   property.
/// - 133010 (`NSManagedObjectExternalRelationshipError`): a relationship is set to an object of another
///   store.
/// - 133021 (`NSManagedObjectConstraintMergeError`): unique values clash, whatever the merge policy.
/// - 134070 (`NSPersistentStoreOperationError`): no store that the request asks holds the entity.
/// - 134091 (`NSPersistentStoreUnsupportedRequestTypeError`): the store has no batches.
///
/// In each case nothing of that store is changed.
///
/// Unlike Apple's: a value is computed from the row itself; an expression that leads through a relationship
/// throws. A one-to-one relationship can only be set to nil, which clears both sides. Afterwards faults of
/// every context are filled from the store, not from older cached rows.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public let entityName: String
    /// The entity, if the request was made with one or has been executed.
    final var givenEntity: NSEntityDescription?
    /// The rows to update; nil, the default, updates all of the entity.
    open var predicate: NSPredicate?
    /// Whether rows of subentities are updated, too; true by default.
    open var includesSubentities = true
    /// The kind of answer; `.statusOnlyResultType` by default.
    open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
    /// The new values by property name or description: constants, `NSExpression`s over the row, or, for a
    /// to-one relationship, an object or its ID.
    ///
    /// Nil as a value is `NSNull`.
    open var propertiesToUpdate: [AnyHashable: Any]?

    /// Makes a request for an entity by its name, which is looked up when the request is executed.
    public init(entityName: String) {
        self.entityName = entityName
        super.init()
    }

    /// Makes a request for an entity.
    public init(entity: NSEntityDescription) {
        entityName = entity.name ?? ""
        givenEntity = entity
        super.init()
    }

    /// The entity.
    ///
    /// Traps for a request that was made with a name and is not executed yet.
    open var entity: NSEntityDescription {
        guard let givenEntity else {
            programmerError(
                "The batch update of \"\(entityName)\" has no entity before it is executed; make it with "
                    + "init(entity:) to ask for it.")
        }
        return givenEntity
    }

    /// Always `.batchUpdateRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// Returns a request with the same settings.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(entityName: entityName)
        copy.givenEntity = givenEntity
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.propertiesToUpdate = propertiesToUpdate
        return copy
    }
}
