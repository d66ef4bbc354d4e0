import CoreDataModelFormat
import CoreDataValues
import Foundation
import Testing

@testable import CoreData

@Suite("Model freezing")
struct ModelFreezerTests {
    @Test("A frozen model maps numbers to descriptions and back")
    func numbers() throws {
        let model = ModelFixtures.company()
        let frozen = try model.freeze()
        #expect(frozen.compiled.entities.map(\.name) == ["Company", "Person", "Employee"])
        for (index, entity) in frozen.entities.enumerated() {
            #expect(frozen.index(of: entity) == Int32(index))
            #expect(frozen.entity(Int32(index)) === entity)
            #expect(frozen.properties[index].map(\.name) == frozen.compiled.entities[index].slots.map(\.name))
        }
        let employee = try #require(frozen.compiled.indexByName["Employee"])
        let person = try #require(frozen.compiled.indexByName["Person"])
        #expect(frozen.properties[Int(employee)][0] === frozen.properties[Int(person)][0])
        #expect(frozen.index(of: ModelFixtures.entity("Employee")) == employee)
        #expect(frozen.index(of: ModelFixtures.entity("Nobody")) == nil)
    }

    @Test("Freezing twice, or on many threads, returns one object")
    func idempotence() async throws {
        let model = ModelFixtures.company()
        nonisolated(unsafe) let shared = model
        let identities = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<8 { group.addTask { ObjectIdentifier(try shared.freeze()) } }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(identities.count == 1)
        #expect(model.frozenModel.map(ObjectIdentifier.init) == identities.first)
    }

    @Test("Defaults become typed values, and stay objects on the description")
    func defaults() throws {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let object = NSArray(array: [1, 2])
        let entity = ModelFixtures.entity(
            "E",
            [
                ModelFixtures.attribute("a", .integer16AttributeType, default: 7),
                ModelFixtures.attribute("b", .booleanAttributeType, default: true),
                ModelFixtures.attribute("c", .doubleAttributeType, default: 1.5),
                ModelFixtures.attribute("d", .decimalAttributeType, default: NSDecimalNumber(string: "2.5")),
                ModelFixtures.attribute("e", .stringAttributeType, default: "text"),
                ModelFixtures.attribute("f", .dateAttributeType, default: date),
                ModelFixtures.attribute("g", .UUIDAttributeType, default: id),
                ModelFixtures.attribute("h", .transformableAttributeType, default: object),
                ModelFixtures.attribute("i", .integer64AttributeType, default: NSNumber(value: Int64.max)),
            ])
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let slots = try #require(try model.freeze().compiled.entity(named: "E")).slots
        #expect(
            slots.map { $0.attribute?.defaultValue } == [
                .integer(7), .boolean(true), .double(1.5), .decimal(2.5), .string("text"), .date(date),
                .uuid(id), .null, .integer(Int64.max),
            ])
        #expect(entity.attributesByName["h"]?.defaultValue as? NSArray === object)
    }

    @Test("A model with mistakes cannot be frozen, reports all mistakes and stays editable")
    func faults() throws {
        let entity = ModelFixtures.entity(
            "E",
            [
                ModelFixtures.attribute("a", .integer16AttributeType, default: "seven"),
                ModelFixtures.attribute("b", .integer16AttributeType, default: 70_000),
                NSExpressionDescription(), NSDerivedAttributeDescription(), NSFetchedPropertyDescription(),
            ])
        let relationship = NSRelationshipDescription()
        relationship.name = "nowhere"
        entity.properties.append(relationship)
        entity.uniquenessConstraints = [["missing"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let error = try #require(throws: NSError.self) { try model.freeze() }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSCoreDataError)
        let reason = try #require(error.localizedFailureReason)
        for fault in [
            "E.a: unacceptable type of value", "E.b: unacceptable type", "NSExpressionDescription",
            "no derivation expression", "no fetch request",
            "E.nowhere: the relationship has no destination entity",
            "\"missing\"",
        ] {
            #expect(reason.contains(fault), "\(fault) in \(reason)")
        }
        entity.properties = []
        entity.uniquenessConstraints = []
        _ = try model.freeze()
    }

    @Test("An unknown destination is a mistake")
    func unknownDestination() throws {
        let stranger = ModelFixtures.entity("Stranger")
        let entity = ModelFixtures.entity("E")
        let relationship = NSRelationshipDescription()
        relationship.name = "r"
        relationship.destinationEntity = stranger
        entity.properties = [relationship]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let error = try #require(throws: NSError.self) { try model.freeze() }
        #expect(error.localizedFailureReason?.contains("unknown destination entity \"Stranger\"") == true)
    }

    @Test("Every setter of a model in use traps")
    func immutability() async {
        await #expect(processExitsWith: .failure) { try inUse { $0.entities = [] } }
        await #expect(processExitsWith: .failure) { try inUse { $0.versionIdentifiers = [] } }
        await #expect(processExitsWith: .failure) {
            try inUse { $0.setEntities([], forConfigurationName: "C") }
        }
        await #expect(processExitsWith: .failure) {
            try inUse { $0.setFetchRequestTemplate(nil, forName: "t") }
        }
        await #expect(processExitsWith: .failure) { try inUse { $0.entities[0].name = "X" } }
        await #expect(processExitsWith: .failure) { try inUse { $0.entities[0].properties = [] } }
        await #expect(processExitsWith: .failure) { try inUse { $0.entities[0].subentities = [] } }
        await #expect(processExitsWith: .failure) {
            try inUse { $0.entities[2].properties[0].isOptional = false }
        }
        await #expect(processExitsWith: .failure) {
            try inUse {
                $0.entitiesByName["Company"]?.relationshipsByName["staff"]?.deleteRule = .denyDeleteRule
            }
        }
        await #expect(processExitsWith: .failure) {
            try inUse { $0.entitiesByName["Company"]?.attributesByName["size"]?.defaultValue = 3 }
        }
    }

    @Test(
        "The user info of a model in use can be changed, by several threads at once"
    )
    func userInfo() throws {
        let model = ModelFixtures.company()
        let hashes = model.entityVersionHashesByName
        _ = try model.freeze()
        let company = try #require(model.entitiesByName["Company"])
        let size = try #require(company.attributesByName["size"])
        nonisolated(unsafe) let (entity, attribute) = (company, size)
        DispatchQueue.concurrentPerform(iterations: 100) { number in
            entity.userInfo?["unit"] = "\(number)"
            attribute.userInfo = ["unit": "metres"]
            _ = attribute.userInfo?.isEmpty
        }
        #expect(company.userInfo?["unit"] is String)
        #expect(size.userInfo?["unit"] as? String == "metres")
        #expect(model.entityVersionHashesByName == hashes)
    }

    @Test("The message of the trap equals Apple's")
    func immutableMessage() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try inUse { $0.entities[0].isAbstract = true }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("Can't modify an immutable model."))
    }
}

/// Changes a model that is in use.
private func inUse(_ change: (NSManagedObjectModel) -> Void) throws {
    let model = ModelFixtures.company()
    _ = try model.freeze()
    change(model)
}
