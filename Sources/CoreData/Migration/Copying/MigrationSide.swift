import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// One of the two sides of a migration: a model, a store, and its objects.
///
/// Objects are identified by references with the root of their entity, so that all references to an object
/// are equal.
final class MigrationSide {
    /// A copy of the app's model whose objects are plain managed objects.
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private(set) var store: NSPersistentStore?
    /// The objects that were named before they had a row, by their temporary references.
    private var unsaved: [ObjectReference: NSManagedObject] = [:]
    /// The objects that policies made without an association: policies search for them among the registered
    /// objects.
    private var unassociated: Set<NSManagedObject> = []
    /// The error of a read in a method that cannot throw.
    private var failure: (any Error)?

    init(_ model: NSManagedObjectModel) {
        self.model = model.withoutClasses
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.model)
        context = NSManagedObjectContext()
        context.persistentStoreCoordinator = coordinator
        context.faultHandler.reportFailure = { [unowned self] in note($0) }
    }

    private func note(_ error: any Error) { failure = failure ?? error }

    /// Throws if a read has failed since the store was opened: policies went on with incomplete data, and
    /// their result is of no use.
    func requireRead() throws {
        if let failure { throw failure }
    }

    func open(_ location: StoreLocation, isReadOnly: Bool) throws {
        store = try coordinator.open(location, isReadOnly: isReadOnly)
    }

    /// Pins reads to the state of the store at the first one, whatever other connections write meanwhile.
    ///
    /// That is not possible for a store with a rollback journal.
    func pin() {
        if isPaged { try? context.setQueryGenerationFrom(.current) }
    }

    func close() {
        try? context.setQueryGenerationFrom(nil)
        unsaved = [:]
        unassociated = []
        failure = nil
        context.reset()
        if let store { try? coordinator.baseRemove(store) }
        store = nil
    }

    func entity(named name: String?) -> NSEntityDescription? { name.flatMap { model.entitiesByName[$0] } }

    // MARK: Objects

    func reference(of object: NSManagedObject) -> ObjectReference {
        ObjectReference(entity: object.runtime.root, key: object.reference.key)
    }

    /// Returns the reference of an object that may be asked for later, and keeps the object.
    func keptReference(of object: NSManagedObject) -> ObjectReference {
        let reference = reference(of: object)
        if reference.isTemporary { unsaved[reference] = object }
        return reference
    }

    /// Returns the references that have become permanent since they were given out, with their present form.
    ///
    /// Each is returned once.
    func takeRenamed() -> [(former: ObjectReference, latter: ObjectReference)] {
        var result: [(former: ObjectReference, latter: ObjectReference)] = []
        for (former, object) in unsaved {
            let latter = reference(of: object)
            if !latter.isTemporary { result.append((former, latter)) }
        }
        for (former, _) in result { unsaved[former] = nil }
        return result
    }

    /// Keeps the new objects that have no association, with their values, since the context may forget them
    /// otherwise.
    func keepUnassociated() {
        for object in context.insertedObjects where unsaved[reference(of: object)] == nil {
            unassociated.insert(object)
        }
    }

    var hasUnsaved: Bool { !unsaved.isEmpty }

    /// Forgets all objects that were named without a row, and returns the references of those that will never
    /// have one.
    func forgetUnsaved() -> [ObjectReference] {
        defer { unsaved = [:] }
        return Array(unsaved.keys)
    }

    /// Whether rows are read page by page; other stores hold all rows anyway, or are an app's own.
    var isPaged: Bool { store is DatabaseStore }

    func count(of entity: NSEntityDescription, includesSubentities: Bool) throws -> Int {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        request.includesSubentities = includesSubentities
        return try context.count(for: request)
    }

    /// Returns how many of the rows exist.
    func count(_ references: [ObjectReference]) throws -> Int {
        try Dictionary(grouping: references.filter { !$0.isTemporary }, by: \.entity).reduce(0) {
            count, rows in
            let request = rowRequest(rows.value, of: rows.key)
            return count + (try context.count(for: request))
        }
    }

    private func rowRequest(_ rows: [ObjectReference], of root: EntityIndex) -> NSFetchRequest<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: coordinator.frozen.compiled[root].name)
        request.predicate = NSPredicate(format: "SELF IN %@", rows.map(id))
        return request
    }

    /// Returns the rows that a request finds.
    func references(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> [ObjectReference] {
        let request = request.copy() as! NSFetchRequest<any NSFetchRequestResult>
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request).compactMap { ($0 as? NSManagedObjectID).map(reference) }
    }

    /// Returns the next rows of an entity in the order of their keys, which is the order of their making.
    func page(
        of entity: NSEntityDescription, includesSubentities: Bool = false, after last: ObjectReference?,
        limit: Int
    ) throws -> [ObjectReference] {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        request.includesSubentities = includesSubentities
        request.predicate = last.map { NSPredicate(format: "SELF > %@", id($0)) }
        request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
        request.fetchLimit = limit
        return try references(of: request)
    }

    private func reference(of id: NSManagedObjectID) -> ObjectReference {
        ObjectReference(entity: id.runtime.root, key: id.reference.key)
    }

    /// Returns the objects of rows with their values, in order and without rows that are gone: one query for
    /// each hierarchy.
    ///
    /// - Parameter predicate: A condition that the objects have to meet.
    func objects(_ references: [ObjectReference], where predicate: NSPredicate? = nil) throws
        -> [NSManagedObject]
    {
        var found: [ObjectReference: NSManagedObject] = [:]
        for (root, rows) in Dictionary(grouping: references.filter { !$0.isTemporary }, by: \.entity) {
            let request = rowRequest(rows, of: root)
            if let predicate, let isRow = request.predicate {
                request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [isRow, predicate])
            }
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) { found[reference(of: object)] = object }
        }
        return references.compactMap { found[$0] ?? unsaved[$0] }
    }

    /// Returns the objects of rows, as faults if they have not been read, without rows that are gone.
    ///
    /// A reference does not say which of a hierarchy's entities a row is of, which an object has to know from
    /// the beginning: such rows are read.
    func faults(_ references: [ObjectReference]) -> [NSManagedObject] {
        let unread = references.filter { reference in
            !reference.isTemporary && coordinator.frozen.compiled[reference.entity].family.count > 1
                && context.registeredObject(for: id(reference)) == nil
        }
        let read: [NSManagedObject]
        do {
            read = unread.isEmpty ? [] : try objects(unread)
        } catch {
            note(error)
            return []
        }
        return withExtendedLifetime(read) {
            let gone = Set(unread).subtracting(read.map(reference))
            return references.filter { !gone.contains($0) }.compactMap { reference in
                reference.isTemporary ? unsaved[reference] : context.object(with: id(reference))
            }
        }
    }

    private func id(_ reference: ObjectReference) -> NSManagedObjectID {
        NSManagedObjectID(
            reference, runtime: coordinator.frozen.runtime(reference.entity), store: store)
    }

    /// Has the context drop the values of saved objects, except objects without an association.
    func forgetValues() {
        for object in context.registeredObjects
        where !object.hasChanges && !object.isFault && !unassociated.contains(object) {
            context.refresh(object, mergeChanges: false)
        }
        // The open event retains the refreshed objects until it ends.
        context.processPendingChanges()
    }
}

extension NSManagedObjectModel {
    /// A copy with the same version hashes whose objects are plain managed objects, since the code of an
    /// app's classes knows one version of the model only.
    fileprivate final var withoutClasses: NSManagedObjectModel {
        let copy = copy() as! NSManagedObjectModel
        for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
        return copy
    }
}
