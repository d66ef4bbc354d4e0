import Foundation
import Testing

@testable import CoreData

@Suite("Batch requests")
struct BatchRequestTests {
    @Test("Every request has its request type")
    func types() {
        #expect(NSSaveChangesRequest().requestType == .saveRequestType)
        #expect(NSBatchInsertRequest(entityName: "E", objects: []).requestType == .batchInsertRequestType)
        #expect(NSBatchUpdateRequest(entityName: "E").requestType == .batchUpdateRequestType)
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "E")
        #expect(NSBatchDeleteRequest(fetchRequest: fetch).requestType == .batchDeleteRequestType)
        #expect(NSAsynchronousFetchRequest(fetchRequest: fetch).requestType == .fetchRequestType)
    }

    @Test("A batch insertion request and its copy have the settings that were given")
    func insertion() throws {
        let entity = ModelFixtures.entity("E")
        let request = NSBatchInsertRequest(entity: entity, objects: [["a": 1], ["a": 2]])
        request.resultType = .count
        let copy = try #require(request.copy() as? NSBatchInsertRequest)
        #expect(copy.entity === entity)
        #expect(copy.entityName == "E")
        #expect(copy.objectsToInsert?.count == 2)
        #expect(copy.resultType == .count)
        let byHandler = NSBatchInsertRequest(entityName: "E") { (row: NSMutableDictionary) in
            row["a"] = 3
            return true
        }
        let row = NSMutableDictionary()
        #expect(byHandler.dictionaryHandler?(row) == true)
        #expect(row["a"] as? Int == 3)
        #expect(byHandler.managedObjectHandler == nil)
        #expect(byHandler.entity == nil)
    }

    @Test("A batch update request and its copy have the settings that were given")
    func update() throws {
        let request = NSBatchUpdateRequest(entity: ModelFixtures.entity("E"))
        request.propertiesToUpdate = ["a": 1]
        request.includesSubentities = false
        request.resultType = .updatedObjectsCountResultType
        let copy = try #require(request.copy() as? NSBatchUpdateRequest)
        #expect(copy.entity.name == "E")
        #expect(copy.propertiesToUpdate?["a"] as? Int == 1)
        #expect(!copy.includesSubentities)
        #expect(copy.resultType == .updatedObjectsCountResultType)
    }

    @Test("A batch deletion takes a fetch request of any type and keeps a copy")
    func deletion() {
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "E")
        fetch.fetchLimit = 3
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        fetch.fetchLimit = 4
        #expect(request.fetchRequest.fetchLimit == 3)
        #expect(request.fetchRequest.entityName == "E")
        #expect(request.resultType == .resultTypeStatusOnly)
    }
}
