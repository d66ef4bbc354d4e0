import CoreData

extension Car: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] {
        [
            NSSortDescriptor(keyPath: \Car.maker, ascending: true),
            NSSortDescriptor(keyPath: \Car.plate, ascending: true),
        ]
    }

    var isVintage: Bool { year > 0 && year < 1990 }

    static func with(plate: String) -> NSPredicate {
        NSPredicate(format: "%K == %@", "plate", plate)
    }

    static func cheaper(than price: NSDecimalNumber) -> NSPredicate {
        NSPredicate(format: "price < %@", price)
    }
}

extension Person: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] {
        [
            NSSortDescriptor(key: "lastName", ascending: true),
            NSSortDescriptor(key: "firstName", ascending: true),
        ]
    }

    var fullName: String {
        [firstName, lastName].compactMap { $0 }.joined(separator: " ")
    }

    /// The sum of the prices, computed over the relationship.
    var fortune: NSDecimalNumber {
        value(forKeyPath: "cars.@sum.price") as? NSDecimalNumber ?? 0
    }

    static func owning(_ maker: String) -> NSPredicate {
        NSPredicate(format: "ANY cars.maker == %@", maker)
    }
}

extension Visit: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] {
        [NSSortDescriptor(keyPath: \Visit.date, ascending: false)]
    }

    static func insert(
        for car: Car, work: String, cost: NSDecimalNumber, into context: NSManagedObjectContext
    ) {
        let visit: Visit = context.insertObject()
        visit.identifier = UUID()
        visit.date = Date()
        visit.plate = car.plate
        visit.work = work
        visit.cost = cost
    }
}
