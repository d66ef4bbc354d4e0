import CoreData
import Foundation

/// The calls on a store whose driver this program does not link: each must throw an error that names the
/// product with the driver, and no password.
struct DriverlessCalls {
    private static let url = URL(string: "postgresql://somebody:secret@localhost/library")!

    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Items.model(.first))

    /// The calls by name.
    private var calls: [(name: String, call: () throws -> Void)] {
        [
            ("add", { _ = try coordinator.addPersistentStore(type: .postgreSQL, at: Self.url) }),
            ("load", load),
            (
                "read metadata",
                { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: Self.url) }
            ),
            (
                "read the model",
                { _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: Self.url) }
            ),
            (
                "destroy",
                { try coordinator.destroyPersistentStore(at: Self.url, ofType: PostgreSQLStoreType) }
            ),
        ]
    }

    private func load() throws {
        let container = NSPersistentContainer(name: "Items", managedObjectModel: Items.model(.first))
        let description = NSPersistentStoreDescription(url: Self.url)
        description.type = PostgreSQLStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    /// The number of calls.
    var count: Int { calls.count }

    /// Returns what is wrong with a call, by its number from 1.
    func problems(at number: Int) -> [String] {
        let (name, call) = calls[number - 1]
        do {
            try call()
            return ["\(name) threw no error"]
        } catch let error as NSError {
            var problems: [String] = []
            if error.domain != NSCocoaErrorDomain || error.code != NSPersistentStoreInvalidTypeError {
                problems.append("\(name) threw \(error.domain) \(error.code)")
            }
            if error.localizedFailureReason?.contains("link the product CoreDataPostgreSQL") != true {
                problems.append("\(name) does not name the product: \(error)")
            }
            if "\(error) \(error.userInfo)".contains("secret") { problems.append("\(name) shows a password") }
            return problems
        }
    }
}
