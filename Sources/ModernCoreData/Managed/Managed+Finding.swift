public import CoreData

extension Managed {
    // MARK: One object

    /// Returns the object that matches: an object of the context, else one of the store, else a new one that
    /// `configure` fills.
    ///
    /// It costs as much as ``findOrFetch(in:matching:)``, and traps if the store cannot be read. Two contexts
    /// that call it at the same time may both insert an object. To prevent that, add a uniqueness constraint
    /// to the model.
    public static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        if let object = findOrFetch(in: context, matching: predicate) { return object }
        let object: Self = context.insertObject()
        configure(object)
        return object
    }

    /// Returns the object that matches: an object of the context, else one of the store, read with its
    /// values.
    ///
    /// It tests the objects of the context first, and runs one statement if none of them matches. Traps if
    /// the store cannot be read. To import many objects, fetch the existing ones at once.
    public static func findOrFetch(in context: NSManagedObjectContext, matching predicate: NSPredicate)
        -> Self?
    {
        if let object = materializedObject(in: context, matching: predicate) { return object }
        return fetch(in: context) { request in
            request.predicate = predicate
            request.returnsObjectsAsFaults = false
            request.fetchLimit = 1
        }.first
    }

    // MARK: Loaded objects

    /// Returns an object that matches, among those of the context that are not faults.
    ///
    /// It runs no statement, unless the predicate leads to other objects that are faults.
    public static func materializedObject(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        for object in context.registeredObjects {
            if let match = materialized(object, matching: predicate) { return match }
        }
        return nil
    }

    /// Returns all objects that match, among those of the context that are not faults, in no order.
    ///
    /// It runs no statement, unless the predicate leads to other objects that are faults.
    public static func materializedObjects(
        in context: NSManagedObjectContext, matching predicate: NSPredicate = NSPredicate(value: true)
    ) -> [Self] {
        context.registeredObjects.compactMap { materialized($0, matching: predicate) }
    }

    private static func materialized(_ object: NSManagedObject, matching predicate: NSPredicate) -> Self? {
        guard let object = object as? Self, !object.isFault, !object.isDeleted else { return nil }
        return predicate.evaluate(with: object) ? object : nil
    }

    // MARK: Fetching

    /// Returns the objects of a request that a block configures.
    ///
    /// The request passed to the block has only the entity: neither the default order nor the default
    /// predicate. Traps if the store cannot be read.
    public static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configurationBlock(request)
        return reading { try context.fetch(request) }
    }

    /// Returns the number of objects of a request that a block configures. The request passed to it has only
    /// the entity.
    ///
    /// Traps if the store cannot be read.
    public static func count(
        in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> Int {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configure(request)
        return reading { try context.count(for: request) }
    }

    private static func reading<Answer>(_ body: () throws -> Answer) -> Answer {
        do {
            return try body()
        } catch {
            programmerError(
                "\(Self.self) cannot be fetched: \(error). To handle the error, use try context.fetch(_:) with "
                    + "\(Self.self).sortedFetchRequest.")
        }
    }
}
