public import Foundation

/// What a batch update answers with.
public enum NSBatchUpdateRequestResultType: UInt, @unchecked Sendable {
    case statusOnlyResultType = 0
    case updatedObjectIDsResultType = 1
    case updatedObjectsCountResultType = 2
}

/// Changes values of all rows that match, without reading them into objects.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    public let entityName: String
    final var givenEntity: NSEntityDescription?
    open var predicate: NSPredicate?
    open var includesSubentities = true
    open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
    /// Attribute names or descriptions with the new values: constants or expressions.
    open var propertiesToUpdate: [AnyHashable: Any]?

    public init(entityName: String) {
        self.entityName = entityName
        super.init()
    }

    public init(entity: NSEntityDescription) {
        entityName = entity.name ?? ""
        givenEntity = entity
        super.init()
    }

    /// The entity the request was made with, or found when it was executed.
    open var entity: NSEntityDescription {
        guard let givenEntity else {
            programmerError(
                "The batch update of \"\(entityName)\" has no entity before it is executed; make it with "
                    + "init(entity:) to ask for it.")
        }
        return givenEntity
    }

    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

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
