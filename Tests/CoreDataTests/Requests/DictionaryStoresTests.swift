import CoreData
import Foundation
import Testing

@Suite("Dictionaries from several stores")
@MainActor
struct DictionaryStoresTests {
    /// The visits in one store, and the same visits spread over three.
    private struct Harbours {
        let folder: ScratchFolder
        let coordinator: NSPersistentStoreCoordinator
        let context = NSManagedObjectContext(.mainQueue)

        init(stores count: Int) throws {
            folder = try ScratchFolder()
            let sketch = """
                Visit
                  city string
                  days int32
                  cost decimal
                  length double
                """
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
            let stores = try (0..<count).map { [folder, coordinator] in
                try coordinator.addPersistentStore(type: .tested, at: folder.place(.tested, "\($0)"))
            }
            context.persistentStoreCoordinator = coordinator
            let cities: [Any] = ["Oslo", "Bergen", NSNull(), "Oslo", "Visby"]
            for number in 0..<14 {
                let visit = context.insert(
                    "Visit",
                    [
                        "city": cities[number % 5], "days": number % 4 == 3 ? NSNull() : number % 6 as Any,
                        "cost": NSDecimalNumber(value: number).dividing(by: 4), "length": Double(number) / 8,
                    ])
                context.assign(visit, to: stores[number % count])
            }
            try context.save()
        }

        func fetch(_ configure: (NSFetchRequest<NSDictionary>) -> Void) throws -> [NSDictionary] {
            let request = NSFetchRequest<NSDictionary>(entityName: "Visit")
            request.resultType = .dictionaryResultType
            configure(request)
            return try context.fetch(request)
        }
    }

    private func column(
        _ name: String, _ format: String, _ type: NSAttributeType = .doubleAttributeType
    ) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(format: format)
        column.expressionResultType = type
        return column
    }

    private var totals: [NSExpressionDescription] {
        [
            column("count", "count:(days)", .integer64AttributeType),
            column("cities", "count:(distinct:(city))", .integer64AttributeType),
            column("sum", "sum:(days)", .integer64AttributeType), column("mean", "average:(days)"),
            column("least", "min:(city)", .stringAttributeType),
            column("most", "max:(cost)", .decimalAttributeType),
            column("middle", "median:(days)"), column("spread", "stddev:(days)"),
            column("a day", "sum:(length) / count:(length)"),
            column("rate", "TERNARY(sum:(days) > 12, max:(days) * 2, 0)", .integer64AttributeType),
        ]
    }

    /// One store and several give the same.
    private func agree(
        _ count: Int, _ configure: (NSFetchRequest<NSDictionary>) -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let single = try Harbours(stores: 1).fetch(configure)
        #expect(single.count == count, sourceLocation: location)
        #expect(try Harbours(stores: 3).fetch(configure) == single, sourceLocation: location)
    }

    private let byCity = [NSSortDescriptor(key: "city", ascending: true)]

    @Test("Groups include the rows of all stores")
    func groups() throws {
        try agree(4) {
            $0.propertiesToFetch = ["city"] + totals
            $0.propertiesToGroupBy = ["city"]
            $0.sortDescriptors = byCity
        }
        try agree(2) {
            $0.propertiesToFetch = ["city", column("sum", "sum:(days)", .integer64AttributeType)]
            $0.propertiesToGroupBy = ["city"]
            $0.sortDescriptors = [NSSortDescriptor(key: "sum", ascending: false)]
            $0.fetchOffset = 1
            $0.fetchLimit = 2
        }
    }

    @Test("Conditions on groups see the rows of all stores, by a column's name or by a function")
    func having() throws {
        for format in [
            "sum > 6", "$sum > 6", "sum:(days) > 6", "count:(days) BETWEEN {3, 5} AND city != nil",
        ] {
            let matches = try Harbours(stores: 1).fetch { having(format, $0) }.count
            #expect(0 < matches && matches < 4)
            try agree(matches) { having(format, $0) }
        }
    }

    private func having(_ format: String, _ request: NSFetchRequest<NSDictionary>) {
        request.propertiesToFetch = ["city", column("sum", "sum:(days)", .integer64AttributeType)]
        request.propertiesToGroupBy = ["city"]
        request.havingPredicate = NSPredicate(format: format)
        request.sortDescriptors = byCity
    }

    @Test("Aggregates without groups cover the rows of all stores, even if there are none")
    func all() throws {
        try agree(1) { $0.propertiesToFetch = totals }
        try agree(1) {
            $0.propertiesToFetch = totals
            $0.predicate = NSPredicate(format: "city == 'Nowhere'")
        }
    }

    @Test("Distinct results are distinct across stores, and so is their count")
    func distinct() throws {
        let configure = { (request: NSFetchRequest<NSDictionary>) in
            request.propertiesToFetch = ["city"]
            request.returnsDistinctResults = true
            request.sortDescriptors = byCity
        }
        try agree(4, configure)
        let request = NSFetchRequest<NSDictionary>(entityName: "Visit")
        request.resultType = .dictionaryResultType
        configure(request)
        let harbours = try Harbours(stores: 3)
        #expect(try harbours.context.count(for: request) == 4)
    }

    @Test("Without groups every row is a dictionary of its own")
    func rows() throws {
        try agree(14) {
            $0.propertiesToFetch = ["city", "length", column("twice", "days * 2", .integer64AttributeType)]
            $0.sortDescriptors = [NSSortDescriptor(key: "length", ascending: true)]
        }
    }
}
