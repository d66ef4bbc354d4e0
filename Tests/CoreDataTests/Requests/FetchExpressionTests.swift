import CoreData
import Foundation
import Testing

@Suite("Fetch expressions and fetched properties")
@MainActor
struct FetchExpressionTests {
    private func stack() throws -> TestStack {
        let stack = try CompanyStack()
        for (index, name) in ["D0", "D1", "D2"].enumerated() {
            let department = stack.insert("Department", ["name": name, "floor": index])
            for number in 0...index {
                stack.insert(
                    "Employee", ["name": "\(name)-\(number)", "department": department, "salary": number])
            }
        }
        try stack.context.save()
        return stack
    }

    private func departments(_ format: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
        request.predicate = NSPredicate(format: format)
        return request
    }

    private func expression(
        _ request: Any, _ stack: TestStack, countOnly: Bool = false
    ) -> NSFetchRequestExpression? {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request),
            context: NSExpression(forConstantValue: stack.context), countOnly: countOnly)
            as? NSFetchRequestExpression
    }

    private func isIn(_ path: String, _ expression: CoreData.NSExpression) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path), rightExpression: expression, modifier: .direct,
            type: .in)
    }

    private func names(_ stack: TestStack, _ predicate: NSPredicate) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("A fetch expression has its parts, prints as FETCH and evaluates to its results")
    func parts() throws {
        let stack = try stack()
        let request = departments("floor > 0")
        let fetch = try #require(expression(request, stack))
        #expect(fetch.requestExpression.constantValue as? NSFetchRequest<NSManagedObject> === request)
        #expect(fetch.contextExpression.constantValue as? NSManagedObjectContext === stack.context)
        #expect(!fetch.isCountOnlyRequest)
        #expect(fetch.expressionType == NSFetchRequestExpressionType)
        #expect(fetch.description.hasPrefix("FETCH("))
        #expect(fetch.description.hasSuffix(", NO)"))
        #expect((fetch.expressionValue(with: nil, context: nil) as? [NSManagedObject])?.count == 2)
        let count = try #require(expression(request, stack, countOnly: true))
        #expect(count.isCountOnlyRequest)
        #expect(count.expressionValue(with: nil, context: nil) as? Int == 2)
        let comparison = try #require(isIn("department", fetch) as? CoreData.NSComparisonPredicate)
        #expect(comparison.rightExpression is NSFetchRequestExpression)
        #expect(comparison.evaluate(with: try stack.fetch("Employee", "name == 'D1-0'")[0]))
    }

    @Test("FETCH in a format takes arguments or variables, and counts if its last argument is YES")
    func formats() throws {
        let stack = try stack()
        let request = departments("floor > 0")
        let found = NSPredicate(format: "department IN FETCH(%@, %@, NO)", request, stack.context)
        #expect(try names(stack, found) == ["D1-0", "D1-1", "D2-0", "D2-1", "D2-2"])
        let counted = NSPredicate(format: "salary == FETCH($request, $context, YES)")
        #expect(counted.description == "salary == FETCH($request, $context, YES)")
        let values: [String: Any] = ["request": request, "context": stack.context]
        #expect(try names(stack, counted.withSubstitutionVariables(values)) == ["D2-2"])
        for malformed in ["a IN FETCH($r, $c)", "a IN FETCH($r, $c, 2)", "a IN FETCH($r, $c, b)"] {
            #expect(throws: (any Error).self) { try NSPredicate(validating: malformed) }
        }
    }

    @Test("A fetch expression is a sub-select, or evaluated if there are unsaved changes")
    func subselects() throws {
        let stack = try stack()
        let fetch = try #require(expression(departments("floor > 0"), stack))
        let predicate = isIn("department", fetch)
        #expect(try names(stack, predicate) == ["D1-0", "D1-1", "D2-0", "D2-1", "D2-2"])
        let count = try #require(expression(departments("floor > 0"), stack, countOnly: true))
        let few = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "salary"), rightExpression: count, modifier: .direct,
            type: .equalTo)
        #expect(try names(stack, few) == ["D2-2"])
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Department")
        dictionaries.resultType = .dictionaryResultType
        dictionaries.propertiesToFetch = ["floor"]
        let floors = try #require(expression(dictionaries, stack))
        #expect(try names(stack, isIn("salary", floors)).count == 6)
        try stack.fetch("Department", "name == 'D1'")[0].setValue(-1, forKey: "floor")
        #expect(try names(stack, predicate) == ["D2-0", "D2-1", "D2-2"])
    }

    @Test(
        "A fetched property is fetched again after a refresh and after changes of its user info"
    )
    func fetchedProperties() throws {
        let model = ModelSketch(
            """
            Node
              name string
              size int64
            """
        ).model
        let bigger = NSFetchedPropertyDescription()
        bigger.name = "bigger"
        bigger.userInfo = ["limit": 100]
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
        request.predicate = NSPredicate(
            format: "size > $FETCH_SOURCE.size AND self != $FETCH_SOURCE "
                + "AND size < $FETCHED_PROPERTY.userInfo.limit AND $FETCHED_PROPERTY.name == 'bigger'")
        request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: true)]
        bigger.fetchRequest = request
        model.entitiesByName["Node"]!.properties.append(bigger)
        let stack = try TestStack(model)
        let nodes = (1...4).map { stack.insert("Node", ["name": "n\($0)", "size": $0 * 30]) }
        try stack.context.save()
        func found() -> [String]? {
            (nodes[0].value(forKey: "bigger") as? [NSManagedObject])?
                .compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(found() == ["n2", "n3"])
        nodes[3].setValue(70, forKey: "size")
        #expect(found() == ["n2", "n3"])
        stack.context.refresh(nodes[0], mergeChanges: true)
        #expect(found() == ["n2", "n4", "n3"])
        bigger.userInfo?["limit"] = 80
        #expect(found() == ["n2", "n4"])
        #expect(throws: NSError.self) { try stack.fetch("Node", "ANY bigger.size == 1") }
    }

    @Test("Functions that SQLite lacks work over relationships and in dictionaries")
    func statistics() throws {
        let stack = try CompanyStack()
        for (index, salaries) in [[1, 2, 9], [4, 4, 4, 8], []].enumerated() {
            let department = stack.insert("Department", ["name": "D\(index)"])
            for salary in salaries { stack.insert("Employee", ["salary": salary, "department": department]) }
        }
        try stack.context.save()
        #expect(try stack.names("Department", "median:(employees.salary) == 2") == ["D0"])
        #expect(try stack.names("Department", "mode:(employees.salary) == 4") == ["D1"])
        #expect(try stack.names("Department", "stddev:(employees.salary) < 2") == ["D1"])
        #expect(try stack.names("Department", "median:(employees.salary) == nil") == ["D2"])
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["median", "mode", "stddev"].map { name in
            let column = NSExpressionDescription()
            column.name = name
            column.expression = NSExpression(format: "\(name):(salary)")
            column.expressionResultType = .doubleAttributeType
            return column
        }
        request.propertiesToGroupBy = ["department"]
        request.sortDescriptors = [NSSortDescriptor(key: "median", ascending: true)]
        let rows = try stack.context.fetch(request)
        #expect(rows.map { $0["median"] as? Double } == [2, 4])
        #expect(rows.last?["mode"] as? Double == 4)
        #expect(rows.last?["stddev"] as? Double == 3.0.squareRoot())
    }

    @Test("Members by index, lengths, entities and transformable values work in predicates")
    func otherNodes() throws {
        let stack = try CompanyStack()
        let project = stack.insert("Project", ["name": "😀é"])
        for name in ["a", "b", "c"] { stack.insert("Task", ["name": name, "project": project]) }
        stack.insert("Project", ["name": "none"])
        stack.insert("Manager", ["name": "Eve", "tags": ["x", "y"] as NSArray])
        stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        for format in [
            "tasks[FIRST].name == 'a'", "tasks[LAST].name == 'c'", "tasks[1].name == 'b'", "tasks[SIZE] == 3",
            "length(name) == 3", "name == '😀é' AND 2 + 3 == 5",
        ] {
            #expect(try stack.names("Project", format) == ["😀é"], "\(format)")
        }
        let manager = try #require(stack.coordinator.managedObjectModel.entitiesByName["Manager"])
        #expect(try stack.names("Employee", "entity == %@", manager) == ["Eve"])
        #expect(try stack.names("Employee", "tags == %@", ["x", "y"] as NSArray) == ["Eve"])
        #expect(try stack.names("Employee", "tags == nil") == ["Ann"])
    }
}
