public import CoreData

extension Managed {
    // MARK: One object

    /// Returns the object that matches: one that the context has, else one of the store, else a new one that
    /// `configure` fills.
    ///
    /// It costs what ``findOrFetch(in:matching:)`` does, and traps if the store cannot be read. Two contexts
    /// that call it at the same time may both insert an object: let the model say what is unique.
    public static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        if let object = findOrFetch(in: context, matching: predicate) { return object }
        let object: Self = context.insertObject()
        configure(object)
        return object
    }

    /// Returns the object that matches: one that the context has, else one of the store, read with its
    /// values.
    ///
    /// It tests the objects of the context, which takes no statement where one of them matches, and one
    /// statement otherwise. Traps if the store cannot be read. To import many objects, fetch the existing
    /// ones at once.
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

    // MARK: Objects at hand

    /// Returns an object that the context has with its values, and that matches.
    ///
    /// It takes no statement, unless the predicate leads to other objects that are faults.
    public static func materializedObject(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        for object in context.registeredObjects {
            if let match = materialized(object, matching: predicate) { return match }
        }
        return nil
    }

    /// Returns all objects that the context has with their values, and that match, in no order.
    ///
    /// It takes no statement, unless the predicate leads to other objects that are faults.
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
    /// The request begins with the entity alone: neither the default order nor the default predicate. Traps
    /// if the store cannot be read.
    public static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configurationBlock(request)
        return reading { try context.fetch(request) }
    }

    /// Returns the number of objects of a request that a block configures; it begins with the entity alone.
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
