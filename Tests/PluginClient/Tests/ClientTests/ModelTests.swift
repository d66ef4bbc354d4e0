import Catalogue
import CoreData
import Forms
import Testing

@Suite("Models in all kinds of targets")
struct ModelTests {
    @Test(
        "A container finds the model by its name",
        arguments: [("Tested", 2), ("Forms", 14), ("Second", 3), ("Plain", 1), ("Catalogue", 1)])
    func byName(name: String, count: Int) throws {
        #expect(try container(name).managedObjectModel.entities.count == count)
    }

    @Test("A test target's model is in its own bundle")
    func ownBundle() throws {
        let url = try #require(Bundle.module.url(forResource: "Tested", withExtension: "momd"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        #expect(Set(model.entities.map(\.name)) == ["Sample", "Probe"])
    }

    @Test("All versions of a model are compiled, and the current one is loaded")
    func versions() throws {
        let url = try #require(Forms.bundle.url(forResource: "Forms", withExtension: "momd"))
        let old = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent("Forms.mom")))
        #expect(old.entities.count == 1)
        let current = try #require(NSManagedObjectModel(contentsOf: url))
        let named = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent("Forms2.mom")))
        #expect(current.entityVersionHashesByName == named.entityVersionHashesByName)
        #expect(current.entities.count == 14)
    }

    @Test("A mapping model is compiled with its target's models")
    func mapping() throws {
        let url = try #require(Forms.bundle.url(forResource: "Forms1to2", withExtension: "cdm"))
        let archive = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        let objects = try #require((archive as? [String: Any])?["$objects"] as? [Any])
        let texts = Set(objects.compactMap { $0 as? String })
        #expect(texts.isSuperset(of: ["ValuesToValues", "Forms.ValuesPolicy", "int16", "text", "source"]))
        let package = try #require(Forms.bundle.url(forResource: "Forms", withExtension: "momd"))
        for version in ["Forms", "Forms2"] {
            let file = package.appendingPathComponent("\(version).mom")
            let model = try #require(NSManagedObjectModel(contentsOf: file))
            let hash = try #require(model.entityVersionHashesByName["Values"])
            #expect(objects.contains { $0 as? Data == hash }, "\(version)")
        }
    }

    @Test("The program's merged model contains the models of all its modules")
    func merged() throws {
        let names = try #require(NSManagedObjectModel.mergedModel(from: nil)).entitiesByName.keys
        #expect(Set(names).isSuperset(of: ["Sample", "Person", "City", "Note", "Product"]))
    }

    @Test("A bundle's merged model contains only that bundle's models")
    func mergedFromBundle() throws {
        let model = try #require(NSManagedObjectModel.mergedModel(from: [Catalogue.bundle]))
        #expect(model.entities.map(\.name) == ["Product"])
    }

    @Test("Classes of a test target work")
    @MainActor
    func classes() throws {
        let container = try container("Tested")
        let context = container.viewContext
        let sample = Sample(context: context)
        #expect(sample.number == 7)
        sample.number -= 4
        sample.probe = Probe(context: context)
        #expect(sample.probe?.sample === sample)
        try context.saveAndRefault(sample)
        #expect(sample.number == 3)
    }
}
