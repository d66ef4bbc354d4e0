import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Passwords of PostgreSQL stores", .needsServer)
struct PasswordTests {
    private static func model(_ attributes: NSAttributeDescription...) -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = attributes
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private static func open(
        _ model: NSManagedObjectModel, at url: URL, _ options: [String: NSObject] = [:]
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        return coordinator
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
