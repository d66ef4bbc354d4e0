import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("What PostgreSQL stores lack", .needsServer)
struct MissingFeatureTests {
    private static func model(_ attributes: NSAttributeDescription...) -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = attributes
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private static func attribute(_ name: String) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
        return attribute
    }

    private static func open(
        _ model: NSManagedObjectModel, at url: URL, _ options: [String: NSObject] = [:]
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
    }

    private static func reason(_ body: () throws -> Void) throws -> String {
        let error = try #require(throws: NSError.self, performing: body)
        return error.localizedFailureReason ?? ""
    }

    @Test("What a PostgreSQL store cannot do yet is an error that names it")
    func named() throws {
        let preserved = Self.attribute("name")
        preserved.preservesValueInHistoryOnDeletion = true
        let history = try Self.reason {
            _ = try Self.open(
                Self.model(preserved), at: try Place.new(), [NSPersistentHistoryTrackingKey: true as NSNumber]
            )
        }
        #expect(history.contains("preserve values of deleted objects"))
    }

    @Test("No error, description or metadata of a store shows the password in its URL")
    func passwords() throws {
        var parts = try #require(URLComponents(url: Place.new(), resolvingAgainstBaseURL: false))
        (parts.user, parts.password) = ("nobody", "s3cr3t")
        let url = try #require(parts.url)
        let description = NSPersistentStoreDescription(url: url)
        #expect(!"\(description)".contains("s3cr3t"))
        let error = try #require(throws: NSError.self) { try Self.open(Self.model(), at: url) }
        #expect(!"\(error) \(error.userInfo)".contains("s3cr3t"))
    }
}
