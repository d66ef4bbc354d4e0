import CoreData
import Foundation
import Testing

@Suite("Printing objects and requests")
@MainActor
struct PrintingTests {
    private func address(_ object: AnyObject) -> String {
        "\(Unmanaged.passUnretained(object).toOpaque())"
    }

    @Test("An object prints class, entity, ID and values, sorted by name")
    func object() throws {
        let stack = try CompanyStack()
        let desk = stack.insert("Desk", ["name": "d \"1\""])
        let employee = stack.insert(
            "Employee",
            ["name": "Ann", "salary": 7, "score": 1.5, "photo": Data([1, 2, 255]), "desk": desk])
        let text = employee.description
        #expect(text.hasPrefix("<Employee: \(address(employee))> (entity: Employee; id: "))
        #expect(text.contains("<\(employee.objectID.uriRepresentation().absoluteString)>; data: {\n"))
        #expect(text.contains("\n    name = Ann;\n"))
        #expect(text.contains("\n    salary = 7;\n    score = \"1.5\";\n"))
        #expect(text.contains("\n    photo = {length = 3, bytes = 0x0102ff};\n"))
        #expect(text.contains("\n    badge = nil;\n"))
        #expect(text.contains("\n    desk = \"\(address(desk.objectID)) <x-coredata:///Desk/t"))
        #expect(text.contains("\n    friends = (\n    );\n"))
        #expect(text.hasSuffix(";\n})"))
        #expect("\(desk)".contains(#"name = "d \"1\"";"#))
    }

    @Test("A fault and an unread relationship print as faults, and printing reads nothing")
    func faults() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "D"])
        stack.insert("Employee", ["name": "Ann", "department": department])
        try stack.context.save()
        let other = try stack.reopened()
        let employee = try #require(try other.fetch("Employee").first)
        #expect(employee.isFault)
        #expect(employee.description.hasSuffix("; data: <fault>)"))
        #expect(employee.isFault)
        _ = employee.value(forKey: "name")
        let text = employee.description
        #expect(text.contains("friends = \"<relationship fault: \(address(employee)) 'friends'>\";"))
        let far = try #require(employee.value(forKey: "department") as? NSManagedObject)
        #expect(far.isFault)
        #expect(text.contains("department = \"\(address(far.objectID)) <x-coredata://"))
        let uri = employee.objectID.uriRepresentation().absoluteString
        #expect(employee.objectID.description == "\(address(employee.objectID)) <\(uri)>")
    }

    @Test("Members of a loaded relationship print as IDs")
    func members() throws {
        let stack = try CompanyStack()
        let project = stack.insert("Project", ["name": "P"])
        let tasks = ["a", "b"].map { stack.insert("Task", ["name": $0, "project": project]) }
        try stack.context.save()
        let ids = tasks.map { "        \"\(address($0.objectID)) <\($0.objectID.uriRepresentation())>\"" }
        #expect("\(project)".contains("    tasks = (\n\(ids.joined(separator: ",\n"))\n    );\n"))
    }

    @Test("A fetch request prints its entity, predicate and order, and settings other than defaults")
    func request() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        let head = "<NSFetchRequest: \(address(request))> "
        #expect(
            request.description == head
                + "(entity: Person; predicate: ((null)); sortDescriptors: ((null)); "
                + "type: NSManagedObjectResultType; )")
        request.predicate = NSPredicate(format: "age > %d AND name CONTAINS[cd] %@", 3, "x")
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false, selector: Selector("caseInsensitiveCompare:")),
            NSSortDescriptor(key: "boss.age", ascending: true),
        ]
        request.fetchLimit = 5
        request.fetchOffset = 10
        request.fetchBatchSize = 20
        request.includesSubentities = false
        request.relationshipKeyPathsForPrefetching = ["boss", "friends"]
        #expect(
            request.description == head
                + "(entity: Person; predicate: (age > 3 AND name CONTAINS[cd] \"x\"); sortDescriptors: "
                + "((name, descending, caseInsensitiveCompare:), (boss.age, ascending, compare:)); offset: 10; "
                + "limit: 5; batch size: 20; type: NSManagedObjectResultType; includesSubentities: NO; "
                + "relationshipKeyPathsForPrefetching: (boss, friends); )")
    }

    @Test("A request for dictionaries prints its properties, groups and their condition")
    func dictionaryRequest() {
        let total = NSExpressionDescription()
        total.name = "total"
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", total]
        request.propertiesToGroupBy = ["name"]
        request.havingPredicate = NSPredicate(format: "total > 1")
        request.returnsDistinctResults = true
        #expect(
            request.description.hasSuffix(
                "type: NSDictionaryResultType; returnsDistinctResults: YES; propertiesToFetch: (name, total); "
                    + "propertiesToGroupBy: (name); havingPredicate: (total > 1); )"))
    }

    @Test("Predicates, sort descriptors, contexts and stores print a description")
    func others() throws {
        #expect("\(NSPredicate(format: "a == 1 or b beginswith 'x'"))" == "a == 1 OR b BEGINSWITH \"x\"")
        #expect("\(NSSortDescriptor(key: "a.b", ascending: true))" == "(a.b, ascending, compare:)")
        let stack = try CompanyStack()
        let context = stack.context
        #expect("\(context)" == "<NSManagedObjectContext: \(address(context))>")
        context.name = "import"
        #expect("\(context)" == "<NSManagedObjectContext: \(address(context))> (name: import)")
        let coordinator = try #require(context.persistentStoreCoordinator)
        #expect("\(coordinator)" == "<NSPersistentStoreCoordinator: \(address(coordinator))>")
        let store = try #require(coordinator.persistentStores.first)
        #expect("\(store)".hasSuffix(" (URL: \(store.url?.shown ?? "nil"))"))
        let container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyStack.model())
        #expect("\(container)" == "<NSPersistentContainer: \(address(container))>")
    }
}
