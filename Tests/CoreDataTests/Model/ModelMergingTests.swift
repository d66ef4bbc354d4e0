import Foundation
import Testing

@testable import CoreData

@Suite("Model merging")
struct ModelMergingTests {
    @Test("Merging unites entities, identifiers, templates and configurations")
    func union() throws {
        let company = ModelFixtures.company()
        company.setEntities([company.entitiesByName["Company"]!], forConfigurationName: "Shared")
        let other = NSManagedObjectModel()
        other.entities = [
            ModelFixtures.entity("Note", [ModelFixtures.attribute("text", .stringAttributeType)])
        ]
        other.versionIdentifiers = ["2"]
        other.setEntities(other.entities, forConfigurationName: "Shared")
        other.setFetchRequestTemplate(NSFetchRequest(entityName: "Note"), forName: "notes")
        let merged = try #require(NSManagedObjectModel(byMerging: [company, other]))
        #expect(Set(merged.entitiesByName.keys) == ["Person", "Employee", "Company", "Note"])
        #expect(merged.versionIdentifiers == ["1", "2"])
        #expect(
            Set(merged.entities(forConfigurationName: "Shared")?.compactMap(\.name) ?? []) == [
                "Company", "Note",
            ])
        #expect(merged.fetchRequestTemplate(forName: "notes") != nil)
        #expect(merged.entitiesByName["Employee"]?.superentity === merged.entitiesByName["Person"])
        #expect(
            merged.entitiesByName["Company"]?.relationshipsByName["staff"]?.destinationEntity
                === merged.entitiesByName["Employee"])
        #expect(company.entitiesByName["Company"]?.managedObjectModel === company)
        _ = try merged.freeze()
    }

    @Test("Equal entities merge into one")
    func equalEntities() throws {
        let merged = try #require(
            NSManagedObjectModel(byMerging: [ModelFixtures.company(), ModelFixtures.company()]))
        #expect(merged == ModelFixtures.company())
    }

    @Test("Merging no models gives nil")
    func nothing() {
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
        #expect(NSManagedObjectModel(byMerging: []) == nil)
    }

    @Test("Two different entities of the same name trap")
    func conflict() async {
        await #expect(processExitsWith: .failure) {
            let other = NSManagedObjectModel()
            other.entities = [ModelFixtures.entity("Company")]
            _ = NSManagedObjectModel(byMerging: [ModelFixtures.company(), other])
        }
    }
}
