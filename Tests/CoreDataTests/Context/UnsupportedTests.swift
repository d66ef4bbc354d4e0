import CoreData
import Foundation
import Testing

@Suite("Unsupported features")
struct UnsupportedTests {
    private func context() throws -> (TestStack, NSManagedObjectContext) {
        let stack = try CatalogStack()
        return (stack, stack.sibling(.privateQueue))
    }

    @Test("A store type that is not registered is an error that names it")
    func storeTypes() throws {
        let type = "MyStore"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CatalogStack.model())
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let attempts: [() throws -> Void] = [
            { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url) },
            { try coordinator.destroyPersistentStore(at: url, ofType: type) },
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url) },
        ]
        for attempt in attempts {
            let error = #expect(throws: NSError.self) { try attempt() }
            #expect(error?.code == NSPersistentStoreInvalidTypeError)
            #expect(error?.localizedFailureReason?.contains("\"\(type)\"") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }
}
