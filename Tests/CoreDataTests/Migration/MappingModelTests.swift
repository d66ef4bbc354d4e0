import CoreDataModelFormat
import CoreDataModelSource
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreData

@Suite("Mapping models")
@MainActor
struct MappingModelTests {
    private let former = ModelSketch(
        """
        Kept
          name string
        Person
          name string
          years int16
          home -> House.people
        House
          people ->> Person.home
        Gone
          name string
        """)
    private let latter = ModelSketch(
        """
        Kept
          name string
        Human was Person
          name string
          age int16 was years
          home -> House.people
        House
          people ->> Human.home
        New
          name string
        """)

    private func text(_ property: NSPropertyMapping) -> String {
        "\(property.name ?? ""): \(property.valueExpression?.description ?? "-")"
    }

    @Test(
        "An inferred mapping has every entity of both models, with hashes and expressions"
    )
    func inferred() throws {
        let (source, destination) = (former.model, latter.model)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        #expect(
            Set(mapping.entityMappingsByName.keys) == [
                "IEM_Copy_Kept", "IEM_Transform_Human", "IEM_Transform_House", "IEM_Add_New",
                "IEM_Remove_Gone",
            ])
        let human = try #require(mapping.entityMappingsByName["IEM_Transform_Human"])
        #expect(human.mappingType == .transformEntityMappingType)
        #expect(human.sourceEntityName == "Person")
        #expect(human.destinationEntityName == "Human")
        #expect(human.sourceEntityVersionHash == source.entityVersionHashesByName["Person"])
        #expect(human.destinationEntityVersionHash == destination.entityVersionHashesByName["Human"])
        #expect(human.entityMigrationPolicyClassName == nil)
        #expect(Set(human.attributeMappings!.map(text)) == ["name: $source.name", "age: $source.years"])
        #expect(human.relationshipMappings!.map(\.name) == ["home"])
    }

    @Test("A change that cannot be inferred is an error that names each place")
    func obstacles() throws {
        let error = #expect(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: ModelSketch("A\n  name string").model,
                destinationModel: ModelSketch("A\n  name date").model)
        }
        #expect(error?.code == NSInferredMappingModelError)
        #expect(error?.userInfo["entity"] as? String == "A")
        #expect(error?.userInfo["property"] as? String == "name")
    }

    @Test("A compiled mapping model is read from its file, and equal after it is written again")
    func file() throws {
        let folder = try ScratchFolder()
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: former.model, destinationModel: latter.model)
        let url = folder.file("Model.cdm")
        try CompiledMappingWriter(mapping.document).cdm().write(to: url)
        let read = try #require(NSMappingModel(contentsOf: url))
        #expect(read.document == mapping.document)
        #expect(NSMappingModel(contentsOf: nil) == nil)
        #expect(NSMappingModel(contentsOf: folder.file("None.cdm")) == nil)
        try Data("damaged".utf8).write(to: url)
        #expect(NSMappingModel(contentsOf: url) == nil)
    }

    @Test("Mappings with equal content are equal, whenever they were made")
    func equality() throws {
        func mapping() throws -> NSMappingModel {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: former.model, destinationModel: latter.model)
        }
        func human(_ model: NSMappingModel) throws -> NSEntityMapping {
            try #require(model.entityMappings.first { $0.name == "IEM_Transform_Human" })
        }
        let folder = try ScratchFolder()
        let first = try mapping()
        try CompiledMappingWriter(first.document).cdm().write(to: folder.file("Model.cdm"))
        for other in [
            try mapping(), NSMappingModel(contentsOf: folder.file("Model.cdm")),
            NSMappingModel(contentsOf: folder.file("Model.cdm")),
        ] {
            let other = try #require(other)
            #expect(other == first)
            #expect(other.hash == first.hash)
            #expect(Set(other.entityMappings) == Set(first.entityMappings))
            let (left, right) = (try human(other), try human(first))
            #expect(Set(left.attributeMappings ?? []) == Set(right.attributeMappings ?? []))
        }
        let changes: [(String, (NSEntityMapping) -> Void)] = [
            ("name", { $0.name = "Other" }), ("type", { $0.mappingType = .copyEntityMappingType }),
            ("source", { $0.sourceEntityName = "Kept" }), ("hash", { $0.sourceEntityVersionHash = nil }),
            ("destination", { $0.destinationEntityName = "New" }),
            ("destination's hash", { $0.destinationEntityVersionHash = Data() }),
            ("attributes", { $0.attributeMappings?.removeLast() }),
            ("an attribute's name", { $0.attributeMappings?[0].name = "other" }),
            ("an expression", { $0.attributeMappings?[0].valueExpression = NSExpression(format: "1") }),
            ("an attribute's note", { $0.attributeMappings?[0].userInfo = ["a": "b"] }),
            ("relationships", { $0.relationshipMappings = nil }),
            ("objects", { $0.sourceExpression = NSExpression(format: "nil") }),
            ("note", { $0.userInfo = ["a": "b"] }), ("policy", { $0.entityMigrationPolicyClassName = "P" }),
        ]
        for (what, change) in changes {
            let other = try mapping()
            let changed = try human(other)
            change(changed)
            #expect(try changed != human(first), "\(what)")
            #expect(other != first, "\(what)")
        }
        let fewer = try mapping()
        fewer.entityMappings.removeLast()
        #expect(fewer != first)
        #expect(NSPropertyMapping() == NSPropertyMapping())
        #expect(NSEntityMapping() == NSEntityMapping())
        #expect(NSPropertyMapping() != NSEntityMapping())
    }

    @Test(
        "A bundle's mapping model is found by version hashes, a complete one before a partial one"
    )
    func search() throws {
        let folder = try ScratchFolder()
        let (source, destination) = (former.model, latter.model)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        let files = [("A.cdm", "Garbage"), ("B.cdm", "Partial"), ("C.cdm", "Whole")]
        for (name, kind) in files {
            var document = mapping.document
            if kind == "Partial" { document.entities.removeAll { $0.name == "IEM_Remove_Gone" } }
            let data = try kind == "Garbage" ? Data(kind.utf8) : CompiledMappingWriter(document).cdm()
            try data.write(to: folder.file(name))
        }
        let bundle = try #require(Bundle(url: folder.url))
        let found = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)
        #expect(found?.document == mapping.document)
        #expect(NSMappingModel(from: [bundle], forSourceModel: destination, destinationModel: source) == nil)
        #expect(NSMappingModel(from: [bundle], forSourceModel: nil, destinationModel: source) == nil)
        #expect(NSMappingModel(from: [], forSourceModel: source, destinationModel: destination) == nil)
        try FileManager.default.removeItem(at: folder.file("C.cdm"))
        let part = NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)
        #expect(part?.entityMappings.count == mapping.entityMappings.count - 1)
    }
}
