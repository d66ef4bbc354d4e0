import Classic
import CoreData
import Testing

@objc private final class Listener: NSObject, DirectoryDelegate {
    var names: [String] = []

    func directoryDidLoad(_ names: [String]) { self.names = names }
}

/// An observer on the main actor, as most are.
@MainActor private final class Counter: NSObject {
    private(set) var count = 0

    func start() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(tick), name: Notification.Name("tick"), object: self)
    }

    @objc private func tick() { count += 1 }
}

@Suite("Unchanged sources from Xcode")
@MainActor
struct ClassicTests {
    private let context: NSManagedObjectContext

    init() throws {
        context = try container("Classic").viewContext
    }

    @Test("Properties, accessors by selector and methods work unchanged")
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

    @Test("Key paths become strings, and comparison selectors sort")
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
        #expect(Directory.nameKey == "name")
    }

    @Test("A private observer method is called by its selector")
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

    @Test("An untyped request returns the given result type")
    func untypedRequests() throws {
        Badge(context: context).number = 3
        try context.save()
        #expect(try Directory(context: context).badges() == [["number": 3]])
    }

    @Test("Overrides in an extension outside of the class's file are called")
    func overridesElsewhere() {
        let employee = Employee(context: context)
        #expect(employee.hired != nil)
        employee.name = "Ann"
        #expect(String(describing: employee) == "Employee Ann")
    }

    @Test("A validation method and a transformer are found by their names")
    func names() throws {
        let employee = Employee(context: context)
        employee.salary = -1
        #expect(throws: NSError.self) { try employee.validateForInsert() }
        let transformer = ValueTransformer(forName: NSValueTransformerName("CLSUpperCase"))
        #expect(transformer?.transformedValue("a") as? String == "A")
    }

    @Test("Members outside of the model are read by name, and can name sections")
    func computedMembers() throws {
        for name in ["Bob", "Ann", "Abe"] { Employee(context: context).name = name }
        try context.save()
        let request: NSFetchRequest<Employee> = Employee.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Employee.name), ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: #keyPath(Employee.initial), cacheName: nil)
        try controller.performFetch()
        #expect(controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } == ["A 2", "B 1"])
        #expect(controller.fetchedObjects?.last?.value(forKey: "initial") as? String == "B")
    }

    @Test(
        "A mapping finds its policy by either name and calls its methods by selector",
        arguments: ["Classic.NamingPolicy", "CLSNamingPolicy"])
    func policies(name className: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("source")
        let target = folder.appendingPathComponent("target")
        let model = try #require(context.persistentStoreCoordinator).managedObjectModel
        func open(_ url: URL) throws -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let old = try open(source)
        Employee(context: old).name = "Ann"
        try old.save()
        let mapping = NSEntityMapping()
        mapping.name = "Employees"
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = "Employee"
        mapping.destinationEntityName = "Employee"
        mapping.entityMigrationPolicyClassName = className
        let name = NSPropertyMapping()
        name.name = "name"
        name.valueExpression = NSExpression(
            format: #"FUNCTION($entityPolicy, "titled:with:of:", $source.name, 2, $source)"#)
        mapping.attributeMappings = [name]
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        try manager.migrateStore(
            from: source, sourceType: NSSQLiteStoreType, with: mappings, toDestinationURL: target,
            destinationType: NSSQLiteStoreType)
        let new = try open(target)
        #expect(try new.fetch(Employee.fetchRequest()).map(\.name) == ["Dr Dr Ann of Employee"])
    }
}
