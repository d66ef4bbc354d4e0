import CoreData

/// A store of numbered entries, in the database that a URL names.
struct Ledger {
    let container: NSPersistentContainer

    init(at url: URL) throws {
        container = NSPersistentContainer(name: "Ledger")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }
}

extension Account {
    /// Returns the account of a name, which is made if there is none.
    static func named(_ name: String, in context: NSManagedObjectContext) throws -> Account {
        let request = Account.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        if let account = try context.fetch(request).first { return account }
        let account = Account(context: context)
        account.name = name
        try context.save()
        return account
    }

    /// Returns the numbers of the entries in the store, in ascending order.
    func numbers() throws -> [Int64] {
        let request = Entry.fetchRequest()
        request.predicate = NSPredicate(format: "account == %@", self)
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try managedObjectContext?.fetch(request).map(\.number) ?? []
    }
}
