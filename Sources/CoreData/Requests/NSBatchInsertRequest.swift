public import Foundation

/// What a batch insertion answers with.
public enum NSBatchInsertRequestResultType: UInt, @unchecked Sendable {
    case statusOnly = 0
    case objectIDs = 1
    case count = 2
}

/// Inserts rows without making objects of them: from dictionaries, or from a handler that fills one dictionary
/// or object after the other until it returns true.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    public let entityName: String
    /// The entity, if the request was made with one or has been executed.
    public internal(set) final var entity: NSEntityDescription?
    open var objectsToInsert: [[String: Any]]?
    // Initializers see to it themselves: they call no observers.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)? {
        didSet { dictionaryHandler = dictionaryHandler.map(CallerIsolation.keeping) }
    }
    open var managedObjectHandler: ((NSManagedObject) -> Bool)? {
        didSet { managedObjectHandler = managedObjectHandler.map(CallerIsolation.keeping) }
    }
    open var resultType = NSBatchInsertRequestResultType.statusOnly

    private init(entity: NSEntityDescription?, name: String) {
        self.entity = entity
        entityName = name
        super.init()
    }

    @available(*, deprecated, message: "Use an initializer that names the entity")
    public convenience override init() {
        self.init(entity: nil, name: "")
    }

    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(entity: nil, name: entityName)
        objectsToInsert = dictionaries
    }

    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity: entity, name: entity.name ?? "")
        objectsToInsert = dictionaries
    }

    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        dictionaryHandler = CallerIsolation.keeping(handler)
    }

    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        managedObjectHandler = CallerIsolation.keeping(handler)
    }

    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        dictionaryHandler = CallerIsolation.keeping(handler)
    }

    public convenience init(
        entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        managedObjectHandler = CallerIsolation.keeping(handler)
    }

    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entity: entity, name: entityName)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        return copy
    }
}
