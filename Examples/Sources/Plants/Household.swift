import CoreData

final class Household {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init(storeAt url: URL) throws {
        container = NSPersistentContainer(name: "Plants")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    func add(_ name: String, room: String) throws {
        let plant = Plant(context: context)
        plant.name = name
        plant.room = room
        try context.save()
    }
}

extension Household {
    func rooms() throws -> NSFetchedResultsController<Plant> {
        let request = Plant.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "room", ascending: true), NSSortDescriptor(key: "name", ascending: true),
        ]
        let rooms = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "room", cacheName: nil)
        try rooms.performFetch()
        return rooms
    }
}

extension Household {
    func water(_ name: String, at date: Date = Date()) throws {
        let request = Plant.fetchRequest()
        request.predicate = NSPredicate(format: "name ==[c] %@", name)
        for plant in try context.fetch(request) { plant.wateredAt = date }
        try context.save()
    }

    func thirsty(at date: Date = Date()) throws -> [Plant] {
        let request = Plant.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).filter { $0.isThirsty(at: date) }
    }
}

extension Plant {
    func isThirsty(at date: Date) -> Bool {
        guard let wateredAt else { return true }
        return date >= wateredAt.addingTimeInterval(Double(days) * 86_400)
    }
}

extension Household {
    static func model(version: String) -> NSManagedObjectModel? {
        Bundle.module.url(forResource: version, withExtension: "mom", subdirectory: "Plants.momd")
            .flatMap(NSManagedObjectModel.init(contentsOf:))
    }
}
