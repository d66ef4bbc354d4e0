import CoreData
import Foundation
import Testing

@Suite("Conditions on external binary values")
@MainActor
struct ExternalBytesTests {
    /// Bytes of 1, 2 and 3: the last in a file of its own, and one object without any.
    private func stack() throws -> TestStack {
        let stack = try TestStack(
            """
            Page
              name string
              photo external
              copy external
            """)
        for (name, bytes) in [("small", small), ("medium", medium), ("large", large)] {
            stack.insert("Page", ["name": name, "photo": bytes, "copy": bytes])
        }
        stack.insert("Page", ["name": "none"])
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    private let small = Data([3, 1])
    private let medium = Data(repeating: 2, count: 50_000)
    private let large = Data(repeating: 1, count: 300_000)

    private func names(_ stack: TestStack, _ format: String, _ arguments: Any...) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    @Test("Equality finds external values of every size")
    func equality() throws {
        let stack = try stack()
        #expect(try names(stack, "photo == %@", small) == ["small"])
        #expect(try names(stack, "photo == %@", large) == ["large"])
        #expect(try names(stack, "photo != %@", large) == ["medium", "none", "small"])
        #expect(try names(stack, "photo IN %@", [small, large]) == ["large", "small"])
        #expect(try names(stack, "photo == nil") == ["none"])
        #expect(try names(stack, "photo == copy") == ["large", "medium", "none", "small"])
    }

    @Test("Comparisons and sorting work on external values")
    func order() throws {
        let stack = try stack()
        #expect(try names(stack, "photo < %@", medium) == ["large"])
        #expect(try names(stack, "photo BETWEEN %@", [medium, small]) == ["medium", "small"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
        request.predicate = NSPredicate(format: "photo != nil")
        request.sortDescriptors = [NSSortDescriptor(key: "photo", ascending: true)]
        let sorted = try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        #expect(sorted == ["large", "medium", "small"])
    }

    private func dictionaries(
        _ stack: TestStack, _ configure: (NSFetchRequest<NSDictionary>) -> Void
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Page")
        request.resultType = .dictionaryResultType
        configure(request)
        return try stack.context.fetch(request)
    }

    private func column(_ format: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = "value"
        column.expression = NSExpression(format: format)
        column.expressionResultType = type
        return column
    }

    @Test("Dictionaries contain external values, and sort by them")
    func columns() throws {
        let found = try dictionaries(try stack()) {
            $0.propertiesToFetch = ["photo"]
            $0.sortDescriptors = [NSSortDescriptor(key: "photo", ascending: true)]
        }
        #expect(found.map { $0["photo"] as? Data } == [nil, large, medium, small])
    }

    @Test("Equal external values in different files form one group, distinct value and maximum")
    func folding() throws {
        let stack = try stack()
        stack.insert("Page", ["name": "again", "photo": large])
        try stack.context.save()
        let groups = try dictionaries(stack) {
            $0.propertiesToFetch = ["photo", column("count:(name)", .integer64AttributeType)]
            $0.propertiesToGroupBy = ["photo"]
            $0.sortDescriptors = [NSSortDescriptor(key: "photo", ascending: true)]
        }
        #expect(groups.map { $0["photo"] as? Data } == [nil, large, medium, small])
        #expect(groups.map { $0["value"] as? Int } == [1, 2, 1, 1])
        let distinct = try dictionaries(stack) {
            $0.propertiesToFetch = ["photo"]
            $0.returnsDistinctResults = true
        }
        #expect(Set(distinct.map { $0["photo"] as? Data }) == [nil, small, medium, large])
        for (format, value) in [("max:(photo)", small), ("min:(photo)", large)] {
            let extreme = try dictionaries(stack) {
                $0.propertiesToFetch = [column(format, .binaryDataAttributeType)]
            }
            #expect(extreme.map { $0["value"] as? Data } == [value])
        }
    }
}
