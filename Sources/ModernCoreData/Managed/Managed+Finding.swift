public import CoreData

extension Managed {
    // MARK: One object

    /// The object that matches: one the context has, else one of the store, else a new one that `configure` fills.
    ///
    /// Costs what ``findOrFetch(in:matching:)`` does. Two contexts that create at the same time both do: let the
    /// model say what is unique.
    public static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        if let object = findOrFetch(in: context, matching: predicate) { return object }
        let object: Self = context.insertObject()
        configure(object)
        return object
    }

    /// The object that matches: one the context has, else one of the store, read with its values.
    ///
    /// Walks the objects of the context, which takes no statement where one of them matches, and one statement
    /// otherwise. To import many objects, fetch those that are there at once.
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

    /// An object with values that the context has and that matches. Takes no statement, unless the predicate leads
    /// to other objects that are faults.
    public static func materializedObject(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        for object in context.registeredObjects {
            if let match = materialized(object, matching: predicate) { return match }
        }
        return nil
    }

    /// All objects with values that the context has and that match, in no order. What it takes is what
    /// ``materializedObject(in:matching:)`` does.
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

    /// The objects of a request that the block configures. It begins with the entity alone: neither the default order
    /// nor the default predicate.
    public static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configurationBlock(request)
        return reading { try context.fetch(request) }
    }

    /// How many objects a request has that the block configures; it begins with the entity alone.
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
