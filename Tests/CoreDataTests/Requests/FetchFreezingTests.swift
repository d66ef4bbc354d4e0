import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@testable import CoreData

@Suite("Fetch requests as values")
struct FetchFreezingTests {
    private func query(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> (FetchQuery, FrozenModel) {
        let model = try ModelFixtures.company().freeze()
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        change(request)
        return (try request.storage.query(in: model), model)
    }

    @Test("Entity, limit, offset and order become values")
    func basics() throws {
        let (query, model) = try query {
            $0.fetchLimit = 5
            $0.fetchOffset = 10
            $0.includesSubentities = false
            $0.sortDescriptors = [
                NSSortDescriptor(key: "employer.name", ascending: false),
                NSSortDescriptor(key: "name", ascending: true),
            ]
        }
        #expect(query.entity == model.compiled.indexByName["Employee"])
        #expect(query.limit == 5)
        #expect(query.offset == 10)
        #expect(!query.includesSubentities)
        #expect(query.shape == .rows)
        #expect(
            query.sort == [
                SortKey(keys: ["employer", "name"], isAscending: false),
                SortKey(keys: ["name"], isAscending: true),
            ])
    }

    @Test("An entity of an equal model is found by name")
    func foreignEntity() throws {
        let model = try ModelFixtures.company().freeze()
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = ModelFixtures.company().entitiesByName["Company"]
        #expect(request.storage.entityIndex(in: model) == model.compiled.indexByName["Company"])
    }

    @Test("The result type decides the shape")
    func shapes() throws {
        #expect(try query { $0.resultType = .managedObjectIDResultType }.0.shape == .references)
        #expect(try query { $0.resultType = .countResultType }.0.shape == .count)
        #expect(try query { $0.includesPropertyValues = false }.0.shape == .references)
    }

    @Test("A dictionary request without properties asks for every stored attribute")
    func allColumns() throws {
        let (query, _) = try query { $0.resultType = .dictionaryResultType }
        guard case .dictionaries(let shape) = query.shape else {
            Issue.record("\(query.shape)")
            return
        }
        #expect(shape.columns.map(\.name) == ["name", "salary"])
        #expect(shape.columns.map(\.type) == [.string, .decimal])
    }

    @Test("Columns are names, key paths, descriptions and expressions")
    func columns() throws {
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(forKeyPath: "salary")
        sum.expressionResultType = .decimalAttributeType
        let model = try ModelFixtures.company().freeze()
        let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [
            "name", "employer.size", model.entities[2].attributesByName["salary"]!,
            model.entities[2].relationshipsByName["employer"]!, "employer.staff.@count", sum,
        ]
        request.propertiesToGroupBy = ["employer.name"]
        request.returnsDistinctResults = true
        guard case .dictionaries(let shape) = try request.storage.query(in: model).shape else {
            Issue.record("no dictionaries")
            return
        }
        #expect(
            shape.columns.map(\.name) == [
                "name", "employer.size", "salary", "employer", "employer.staff.@count", "total",
            ])
        #expect(
            shape.columns.map(\.type) == [.string, .integer32, .decimal, .objectID, .integer64, .decimal])
        #expect(shape.columns[1].expression == .keyPath("employer.size"))
        #expect(shape.columns[5].expression == .keyPath("salary"))
        #expect(shape.groupBy == [.keyPath("employer.name")])
        #expect(shape.isDistinct)
    }

    @Test("A missing entity and unknown or to-many columns trap")
    func programmerErrors() async {
        await #expect(processExitsWith: .failure) {
            let model = try ModelFixtures.company().freeze()
            _ = NSFetchRequest<NSManagedObject>().storage.entityIndex(in: model)
        }
        await #expect(processExitsWith: .failure) {
            let model = try ModelFixtures.company().freeze()
            _ = NSFetchRequest<NSManagedObject>(entityName: "Nobody").storage.entityIndex(in: model)
        }
        await #expect(processExitsWith: .failure) { try fetchColumns(["nothing"]) }
        await #expect(processExitsWith: .failure) { try fetchColumns(["staff"]) }
        await #expect(processExitsWith: .failure) { try fetchColumns([1]) }
    }
}

private func fetchColumns(_ properties: [Any]) throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Company")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    _ = try request.storage.query(in: try ModelFixtures.company().freeze())
}
