import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// An export of a store: every object as a line of JSON, with its name, attributes and relationships.
///
/// The first line contains the model, so that a store can be made from the export alone. Relationships list
/// the names of their members and are written on one side, unless both sides are ordered. Derived and
/// transient attributes are left out.
package struct StoreExport {
    private let store: OpenedStore
    private let model: StoreModel
    private let entities: [ExchangeEntity]
    private let includesModel: Bool
    private static let batchSize = 500

    /// Chooses what to export. Throws a `ToolError` if the store has no model that fits it, or the model
    /// lacks an entity.
    ///
    /// - Parameters:
    ///   - names: The entities to write, with their subentities; empty for all.
    ///   - includesModel: Whether the first line contains the model.
    package init(_ store: OpenedStore, entities names: [String] = [], includesModel: Bool = true) throws {
        self.store = store
        self.includesModel = includesModel
        model = try store.matchingModel()
        let compiled = model.compiled
        let chosen = try names.map { try store.requiredModel().entity(named: $0) }
        entities = compiled.entities.filter { entity in
            chosen.isEmpty || chosen.contains { $0.includes(entity.index) }
        }.filter { !$0.isAbstract }.map { ExchangeEntity($0, in: compiled) }
    }

    /// Writes the lines, reading 500 objects at a time.
    ///
    /// - Parameters:
    ///   - output: Called with each line.
    ///   - warning: Called for each value that cannot be read and is left out.
    ///   - progress: Called with the number of written objects and the number of all objects.
    package func write(
        to output: (String) throws -> Void, warning: (String) -> Void = { _ in },
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        let document = includesModel ? model.document : nil
        try output(ExchangeHeader(storeUUID: store.metadata.uuid, document: document).json().line)
        try store.reading { context in
            let ids = try entities.map { (entity: $0, ids: try Self.ids(of: $0, in: context)) }
            let total = ids.reduce(0) { $0 + $1.ids.count }
            var done = 0
            for (entity, ids) in ids {
                for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
                    let batch = Array(ids[start..<min(start + Self.batchSize, ids.count)])
                    let objects = try context.objects(batch, prefetching: entity.prefetchedKeys)
                    for object in objects { try output(Self.line(object, entity, warning)) }
                    done += batch.count
                    progress(done, total)
                    context.reset()
                }
            }
        }
    }

    /// Returns the IDs in the order of their keys, in which the objects were made.
    private static func ids(
        of entity: ExchangeEntity, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.entity.name)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        return try context.fetch(request).sorted { $0.key < $1.key }
    }

    private static func line(
        _ object: NSManagedObject, _ entity: ExchangeEntity, _ warning: (String) -> Void
    ) -> String {
        var attributes: [JSONValue.Member] = []
        for slot in entity.attributes {
            if let value = object.unreadableValue(of: slot) {
                warning("\(CellValue.text(of: object.objectID)).\(slot.name): \(value.message)")
            }
            let value = CellValue.json(object.value(forKey: slot.name))
            // A missing attribute means the default, so nil is written if the attribute has one.
            if value != .null || slot.attribute?.defaultValue.isNull == false {
                attributes.append(.init(slot.name, value))
            }
        }
        var relationships: [JSONValue.Member] = []
        for slot in entity.relationships {
            let ids = object.objectIDs(forRelationshipNamed: slot.name).map {
                JSONValue.string(CellValue.text(of: $0))
            }
            guard let first = ids.first else { continue }
            relationships.append(.init(slot.name, slot.isToMany ? .array(ids) : first))
        }
        var members: [JSONValue.Member] = [
            .init("id", .string(CellValue.text(of: object.objectID))),
            .init("attributes", .object(attributes)),
        ]
        if !relationships.isEmpty { members.append(.init("relationships", .object(relationships))) }
        return JSONValue.object(members).line
    }
}

extension ExchangeEntity {
    fileprivate var prefetchedKeys: [String] { relationships.filter(\.isToMany).map(\.name) }
}
