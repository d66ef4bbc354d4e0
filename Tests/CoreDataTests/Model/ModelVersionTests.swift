import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@testable import CoreData

@Suite("Model versions")
struct ModelVersionTests {
    /// The worked example of version-hash §4: a user with a pet.
    private func petModel() -> NSManagedObjectModel {
        let user = ModelFixtures.entity(
            "User",
            [
                ModelFixtures.attribute("name", .stringAttributeType, isOptional: false),
                ModelFixtures.attribute("petName", .stringAttributeType),
            ])
        let model = NSManagedObjectModel()
        model.entities = [user]
        return model
    }

    private func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    @Test("An entity has the same hash inside and outside of a model")
    func entityAlone() {
        func entity(_ name: String, _ keys: [String]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = keys.map { key in
                let attribute = NSAttributeDescription()
                attribute.name = key
                attribute.attributeType = .stringAttributeType
                return attribute
            }
            return entity
        }
        let (alone, other) = (entity("Note", ["text"]), entity("Note", ["text"]))
        let model = NSManagedObjectModel()
        model.entities = [other, entity("Folder", ["name"])]
        #expect(alone.versionHash == other.versionHash)
        #expect(alone.versionHash.count == 32)
        let (parent, child) = (entity("Note", ["text"]), entity("Letter", ["stamps"]))
        parent.subentities = [child]
        let whole = NSManagedObjectModel()
        let (top, bottom) = (entity("Note", ["text"]), entity("Letter", ["stamps"]))
        top.subentities = [bottom]
        whole.entities = [top, bottom]
        #expect(child.versionHash == bottom.versionHash)
        #expect(child.versionHash != alone.versionHash)
    }

    @Test("A model built in code has Apple's hashes, before and after it is in use")
    func workedExample() throws {
        let model = petModel()
        let user = try #require(model.entitiesByName["User"])
        let name = try #require(user.attributesByName["name"])
        for _ in 0..<2 {
            #expect(
                hex(name.versionHash) == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
            #expect(
                hex(user.versionHash) == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
            #expect(model.entityVersionHashesByName == ["User": user.versionHash])
            #expect(model.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
            _ = try model.freeze()
        }
    }

    @Test("Hashes follow every change of a model that is not yet in use")
    func changes() throws {
        let model = petModel()
        let name = try #require(model.entitiesByName["User"]?.attributesByName["name"])
        let (first, checksum) = (model.entityVersionHashesByName, model.versionChecksum)
        name.isOptional = true
        #expect(model.entityVersionHashesByName != first)
        #expect(model.versionChecksum != checksum)
        name.isOptional = false
        #expect(model.entityVersionHashesByName == first)
        #expect(model.versionChecksum == checksum)
        model.entities.append(ModelFixtures.entity("Pet"))
        #expect(model.entityVersionHashesByName.keys.sorted() == ["Pet", "User"])
        #expect(model.entityVersionHashesByName["User"] == first["User"])
    }

    @Test("A relationship's hash is Apple's")
    func relationshipHash() throws {
        let user = ModelFixtures.entity("User")
        let pet = ModelFixtures.entity("Pet")
        ModelFixtures.link(
            pet, ModelFixtures.relationship("unused", .many, to: user),
            ModelFixtures.relationship("also", .one, to: pet))
        let owner = NSRelationshipDescription()
        owner.name = "owner"
        owner.destinationEntity = user
        owner.maxCount = 1
        let inverse = NSRelationshipDescription()
        inverse.name = "pet"
        owner.inverseRelationship = inverse
        #expect(hex(owner.versionHash) == "431f6f1bba544821111be3775dd3a03ddbc8962f0e0ccfd5b5694e59ecf6447c")
    }

    @Test("A configuration fits a store that has exactly its entities in its versions")
    func compatibility() throws {
        let model = ModelFixtures.company()
        model.setEntities([model.entitiesByName["Company"]!], forConfigurationName: "Public")
        let hashes = model.entityVersionHashesByName
        func metadata(_ hashes: [String: Data]) -> [String: Any] { [NSStoreModelVersionHashesKey: hashes] }
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(hashes)))
        #expect(!model.isConfiguration(withName: "Public", compatibleWithStoreMetadata: metadata(hashes)))
        let publicHashes = hashes.filter { $0.key == "Company" }
        #expect(
            model.isConfiguration(withName: "Public", compatibleWithStoreMetadata: metadata(publicHashes)))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(publicHashes)))
        #expect(!model.isConfiguration(withName: "None", compatibleWithStoreMetadata: metadata(hashes)))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    }

    @Test("Models are merged from the versions with which a store was made")
    func mergingForMetadata() throws {
        let old = ModelFixtures.company()
        let new = ModelFixtures.company()
        new.entitiesByName["Company"]?.properties.append(ModelFixtures.attribute("url", .URIAttributeType))
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        let merged = try #require(
            NSManagedObjectModel(byMerging: [new, old, petModel()], forStoreMetadata: metadata))
        #expect(merged.entityVersionHashesByName == old.entityVersionHashesByName)
        #expect(merged.entitiesByName["Employee"]?.superentity?.name == "Person")
        #expect(NSManagedObjectModel(byMerging: [petModel()], forStoreMetadata: metadata) == nil)
        #expect(NSManagedObjectModel(byMerging: [old], forStoreMetadata: [:]) == nil)
    }

    @Test("A reference resolves to its model if the checksum matches")
    func references() throws {
        let model = petModel()
        let reference = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        #expect(reference.resolvedModel === model)
        let wrong = NSManagedObjectModelReference(model: model, versionChecksum: "x")
        let error = try #require(throws: NSError.self) { try wrong.resolve() }
        #expect(error.code == NSManagedObjectModelReferenceNotFoundError)
        let missing = NSManagedObjectModelReference(
            fileURL: URL(fileURLWithPath: "/no/such.mom"), versionChecksum: model.versionChecksum)
        let reason = try #require(throws: NSError.self) { try missing.resolve() }.localizedFailureReason
        #expect(reason?.contains("/no/such.mom") == true)
    }
}

/// Real models, if they are on this machine.
@Suite("Models of the corpus", .enabled(if: Corpus.isThere, "no corpus beside the package"))
struct CorpusModelTests {
    @Test("Every model of the corpus can be thawed and frozen, and keeps its hashes")
    func everyModel() throws {
        let packages = Corpus.modelPackages()
        #expect(packages.count > 100)
        var versions = 0
        for url in packages {
            // The corpus holds parts of packages too, which the reader refuses.
            guard let package = try? ModelReader().read(url) else { continue }
            for document in package.versions.map(\.document) {
                let model = NSManagedObjectModel()
                do {
                    try model.thaw(document)
                    _ = try model.freeze()
                } catch {
                    Issue.record("\(url.path): \((error as NSError).localizedFailureReason ?? "\(error)")")
                    continue
                }
                #expect(
                    model.entityVersionHashesByName == VersionHashes(document).byEntity,
                    "\(url.lastPathComponent)")
                versions += 1
            }
        }
        #expect(versions > 100)
    }
}

/// The folder of real projects beside the package.
enum Corpus {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/corpus")

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func modelPackages() -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }.filter {
            $0.pathExtension == "xcdatamodeld"
                || $0.pathExtension == "xcdatamodel"
                    && $0.deletingLastPathComponent().pathExtension != "xcdatamodeld"
        }
    }
}
