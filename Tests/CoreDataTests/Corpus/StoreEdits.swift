import CoreData
import Foundation
import Testing

/// A store on which every kind of edit is done, entity by entity.
struct StoreEdits {
    let opened: OpenedStore
    let ledger: EditLedger
    /// The values set on objects, by URI.
    private(set) var given: [URL: [String: Any]] = [:]
    /// The edits that were not possible because of the model's rules or a lack of objects.
    private(set) var refused: [String] = []
    /// The number of changed relationships.
    private(set) var relationships = 0

    init(_ opened: OpenedStore) {
        self.opened = opened
        ledger = EditLedger(opened.context)
    }

    private var context: NSManagedObjectContext { opened.context }

    mutating func run(on model: NSManagedObjectModel) throws {
        let entities = model.entities.filter { !$0.isAbstract }
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
        let samples = SampleObjects(context)
        // In an empty store, the inserted objects are edited.
        for entity in entities where try objects(of: entity).isEmpty {
            for _ in 0..<3 { _ = try samples.insert(entity) }
        }
        #expect(save("insertions"))
        let known = try entities.map { ($0, try objects(of: $0)) }
        for (_, objects) in known { if let object = objects.first { update(object, samples) } }
        for entity in entities { try insert(entity, samples) }
        for (entity, objects) in known {
            for object in objects.prefix(2) where !object.isDeleted {
                try relink(object, entity, samples)
            }
        }
        for (entity, objects) in known { if let object = objects.last { delete(object, entity, samples) } }
    }

    private func objects(of entity: NSEntityDescription) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        return try context.fetch(request)
    }

    /// Saves; a change that the model's rules forbid is undone.
    private mutating func save(_ what: String) -> Bool {
        do {
            try context.save()
            return true
        } catch let error as NSError {
            let rules = NSManagedObjectValidationError..<NSManagedObjectValidationError + 150
            if rules.contains(error.code) || error.code == NSManagedObjectConstraintMergeError {
                refused.append("\(what): \(error.localizedDescription)")
            } else {
                Issue.record("\(what): \(error) \(error.userInfo)")
            }
            context.rollback()
            return false
        }
    }

    private mutating func update(_ object: NSManagedObject, _ samples: SampleObjects) {
        let values = samples.change(object)
        samples.complete(context.updatedObjects)
        if save("update of \(object.entity.name ?? "")") {
            given[object.objectID.uriRepresentation()] = values
        }
    }

    private mutating func insert(_ entity: NSEntityDescription, _ samples: SampleObjects) throws {
        let name = entity.name ?? ""
        do {
            let object = try samples.insert(entity)
            guard save("insertion of \(name)") else { return }
            #expect(!object.objectID.isTemporaryID)
            given[object.objectID.uriRepresentation()] = object.dictionaryWithValues(
                forKeys: Self.settable(entity))
        } catch let error as SampleObjects.NotPossible {
            refused.append("insertion of \(name): \(error.reason)")
            context.rollback()
        }
    }

    /// All relationships at once, or one by one if a rule forbids one of them.
    private mutating func relink(
        _ object: NSManagedObject, _ entity: NSEntityDescription, _ samples: SampleObjects
    ) throws {
        let all = entity.relationshipsByName.filter { !$1.isTransient }.sorted { $0.key < $1.key }
        var count = 0
        for (name, relationship) in all where try samples.change(relationship, name, of: object) {
            count += 1
        }
        samples.complete(context.updatedObjects)
        do {
            try context.save()
            relationships += count
            return
        } catch {
            context.rollback()
        }
        for (name, relationship) in all where !object.isDeleted {
            guard try samples.change(relationship, name, of: object) else { continue }
            samples.complete(context.updatedObjects)
            if save("\(entity.name ?? "").\(name)") { relationships += 1 }
        }
    }

    private mutating func delete(
        _ object: NSManagedObject, _ entity: NSEntityDescription, _ samples: SampleObjects
    ) {
        if object.isDeleted || object.managedObjectContext == nil { return }
        context.delete(object)
        context.processPendingChanges()
        samples.complete(context.updatedObjects)
        _ = save("deletion of \(entity.name ?? "")")
    }

    /// Returns the attributes that are read as they were set.
    private static func settable(_ entity: NSEntityDescription) -> [String] {
        entity.attributesByName.values.filter {
            !$0.isTransient && !($0 is NSDerivedAttributeDescription)
        }.map(\.name)
    }
}
