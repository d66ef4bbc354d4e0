import CoreData
import Foundation
import Testing

@Suite("Stores whose driver the program lacks")
struct MissingDriverTests {
    private static let url = URL(string: "postgresql://somebody:secret@localhost/library")!

    private static func expectMissing(_ body: () throws -> Void) throws {
        let error = try #require(throws: NSError.self, performing: body)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSPersistentStoreInvalidTypeError)
        #expect(error.localizedFailureReason?.contains("in the product CoreDataPostgreSQL") == true)
        #expect(!"\(error) \(error.userInfo)".contains("secret"))
    }

    @Test(
        "Adding, describing, copying and removing a PostgreSQL store names the product that its driver is in")
    func everyCall() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch("E").model)
        try Self.expectMissing {
            _ = try coordinator.addPersistentStore(type: .postgreSQL, at: Self.url)
        }
        #expect(coordinator.persistentStores.isEmpty)
        try Self.expectMissing {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: Self.url)
        }
        try Self.expectMissing {
            _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: Self.url)
        }
        try Self.expectMissing {
            try coordinator.destroyPersistentStore(at: Self.url, ofType: PostgreSQLStoreType)
        }
    }

    @Test("A container reports the missing driver of a store description")
    func container() throws {
        let container = NSPersistentContainer(name: "E", managedObjectModel: ModelSketch("E").model)
        let description = NSPersistentStoreDescription(url: Self.url)
        description.type = PostgreSQLStoreType
        container.persistentStoreDescriptions = [description]
        try Self.expectMissing {
            var failure: (any Error)?
            container.loadPersistentStores { failure = $1 }
            if let failure { throw failure }
        }
    }
}
