@testable import CoreDataModelSource
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Mapping models compiled by Xcode", .enabled(if: Corpus.isPresent))
struct CompiledMappingTests {
    static let files = Corpus.paths { $0.hasSuffix(".cdm") }

    private func mapping(_ path: String) throws -> MappingDocument {
        try CompiledMappingReader().read(at: Corpus.url(path))
    }

    @Test("Entity mappings are read in order with types, entities and policies", arguments: files)
    func entities(path: String) throws {
        let mapping = try mapping(path)
        #expect(
            mapping.entities.map(\.name) == [
                "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
            ])
        #expect(mapping.entities.map(\.kind) == [.custom, .custom, .copy, .custom, .add])
        #expect(mapping.entities.map(\.sourceName) == ["Car", "LuxuryCar", "Person", "SportCar", nil])
        #expect(
            mapping.entities.map(\.destinationName) == ["Car", "LuxuryCar", "Person", "SportCar", "Maker"])
        let module = path.contains("_history") ? "CoreDataPlus_Tests_macOS" : "REPLACE_AT_RUNTIME"
        let policy = path.contains("_history") ? "V2to3MakerPolicyPolicy" : "V2to3MakerPolicy"
        let policies = mapping.entities.map(\.policyClassName)
        #expect(policies[0] == "\(module).\(policy)")
        #expect(policies[2] == nil)
        #expect(policies[4] == nil)
        #expect(mapping.entities.allSatisfy { $0.userInfo.isEmpty })
    }

    @Test("The mapping's hashes equal those of the entities in both models", arguments: files)
    func hashes(path: String) throws {
        let models = "alemar11__CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld"
        let source = try hashes(of: "\(models)/SampleModel2.xcdatamodel")
        let destination = try hashes(of: "\(models)/SampleModel3.xcdatamodel")
        for entity in try mapping(path).entities {
            #expect(entity.sourceHash == entity.sourceName.flatMap { source[$0] }.map { [UInt8]($0) })
            #expect(
                entity.destinationHash
                    == entity.destinationName.flatMap { destination[$0] }.map { [UInt8]($0) }
            )
        }
    }

    private func hashes(of path: String) throws -> [String: Data] {
        VersionHashes(try ModelPackage.readCurrentVersion(at: Corpus.url(path)).document).byEntity
    }

    @Test("Mapping expressions are decoded to their predicate syntax", arguments: files)
    func expressions(path: String) throws {
        let mapping = try mapping(path)
        let car = mapping.entities[0]
        #expect(
            car.source.map(NodePrinter.format)
                == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", "
                + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)")
        #expect(car.source == MappingExpression.sources(ofEntity: "Car"))
        #expect(car.attributes.map(\.name) == ["markedForDeletionAsOf", "model", "numberPlate"])
        #expect(car.attributes.allSatisfy { $0.value == MappingExpression.sourceValue($0.name) })
        #expect(car.relationships.map(\.name) == ["createdBy", "owner", "previousOwners"])
        let owner = MappingExpression.destinations(ofMapping: "PersonToPerson", at: "owner")
        #expect(car.relationships.map(\.value) == [nil, owner, owner])
        let cars = MappingExpression.destinations(ofRelationship: "cars", at: "cars")
        #expect(mapping.entities[2].relationships.map(\.value) == [cars, cars])
        let maker = mapping.entities[4]
        #expect(maker.source == nil)
        #expect((maker.attributes + maker.relationships).map(\.name) == ["name", "cars"])
        #expect((maker.attributes + maker.relationships).allSatisfy { $0.value == nil })
    }

    @Test("A mapping model that is written again has Apple's classes, keys and values", arguments: files)
    func writing(path: String) throws {
        let data = try Data(contentsOf: Corpus.url(path))
        let mapping = try CompiledMappingReader().read(data)
        let written = try CompiledMappingWriter(mapping).cdm()
        #expect(try CompiledMappingReader().read(written) == mapping)
        #expect(try ArchiveTree.tree(of: written) == ArchiveTree.tree(of: data))
        #expect(try CompiledMappingWriter(mapping).cdm() == written)
    }
}
