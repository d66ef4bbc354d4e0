import Classic
import CoreData
import Testing

@objc private final class Listener: NSObject, DirectoryDelegate {
    var names: [String] = []

    func directoryDidLoad(_ names: [String]) { self.names = names }
}

/// Of the main actor, as most that observe are.
@MainActor private final class Counter: NSObject {
    private(set) var count = 0

    func start() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(tick), name: Notification.Name("tick"), object: self)
    }

    @objc private func tick() { count += 1 }
}

@Suite("Sources as Xcode leaves them")
@MainActor
struct ClassicTests {
    private let context: NSManagedObjectContext

    init() throws {
        context = try container("Classic").viewContext
    }

    @Test("Properties, accessors by selector and methods work as they stand")
    func properties() throws {
        let boss = Employee(context: context)
        boss.name = "Ann"
        let employee = Employee(context: context)
        employee.rename(silently: "Bob")
        employee.salary += 10
        boss.addToReports(employee)
        boss.addToReports(NSSet(object: Employee(context: context)))
        boss.removeFromReports(employee)
        try context.saveAndRefault(boss)
        #expect(boss.reports?.count == 1)
        #expect(boss.initial == "A")
        #expect(employee.name == "Bob")
        #expect(employee.salary == 10)
        let badge = NSEntityDescription.insertNewObject(forEntityName: "Badge", into: context)
        #expect((badge as? Badge)?.number == 7)
    }

    @Test("Key paths are strings, selectors of comparisons sort")
    func keyPaths() throws {
        let office = Office(context: context)
        office.city = "Bern"
        for name in ["A10", "A2"] {
            let employee = Employee(context: context)
            employee.name = name
            employee.office = office
        }
        try context.save()
        let directory = Directory(context: context)
        let listener = Listener()
        directory.delegate = listener
        #expect(try directory.load(in: "Bern").map(\.name) == ["A2", "A10"])
        #expect(listener.names == ["A2", "A10"])
        #expect(Directory.bossCity == "boss.office.city")
        #expect(Directory.operation == "isReady")
        #expect(#keyPath(Employee.reports) == "reports")
    }

    @Test("An observer's method is called by its selector, though it is private")
    func observers() throws {
        let directory = Directory(context: context)
        _ = Employee(context: context)
        context.processPendingChanges()
        #expect(directory.changes == 1)
        let counter = Counter()
        counter.start()
        NotificationCenter.default.post(name: Notification.Name("tick"), object: counter)
        #expect(counter.count == 1)
    }

    @Test("A validation method and a transformer are found by their names")
    func names() throws {
        let employee = Employee(context: context)
        employee.salary = -1
        #expect(throws: NSError.self) { try employee.validateForInsert() }
        let transformer = ValueTransformer(forName: NSValueTransformerName("CLSUpperCase"))
        #expect(transformer?.transformedValue("a") as? String == "A")
    }
}
