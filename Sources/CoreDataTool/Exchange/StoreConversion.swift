import CoreData
import CoreDataModelFormat
package import Foundation

/// A conversion of a store to another type. A store that keeps its type is copied completely.
package struct StoreConversion {
    /// The types of stores that can be made.
    package enum Target: String, Sendable, CaseIterable {
        case sqlite
        case xml
        case binary
        case postgresql

        /// Makes the type for the extension of a file name, or for the URL of a database; nil for an unknown
        /// extension.
        package init?(of url: URL) {
            guard url.isFileURL else {
                self = .postgresql
                return
            }
            switch url.pathExtension.lowercased() {
            case "sqlite", "sqlite3", "db": self = .sqlite
            case "xml": self = .xml
            case "binary", "bin": self = .binary
            default: return nil
            }
        }

        var storeType: String {
            switch self {
            case .sqlite: NSSQLiteStoreType
            case .xml: NSXMLStoreType
            case .binary: NSBinaryStoreType
            case .postgresql: PostgreSQLStoreType
            }
        }
    }

    private let store: OpenedStore

    package init(_ store: OpenedStore) {
        self.store = store
    }

    /// Writes the new store; a failure leaves no store.
    ///
    /// Values are copied as they are stored. All rows are in memory at once.
    ///
    /// - Parameter warning: Called for each value that cannot be read and is left out.
    /// - Returns: The number of objects in the new store.
    @discardableResult
    package func convert(
        to url: URL, as target: Target, warning: @escaping (String) -> Void = { _ in }
    ) throws -> Int {
        try StoreFiles.requireNone(at: url, target)
        let model = try store.matchingModel()
        let coordinator = try store.coordinator(model.document)
        guard let source = coordinator.persistentStores.first else {
            throw ToolError("the store did not open")
        }
        let made = try coordinator.baseMigratePersistentStore(
            source, to: url, [:], target.storeType, leavingOut: warning)
        let count = try Self.count(coordinator, model.compiled)
        try coordinator.remove(made)
        return count
    }

    private static func count(_ coordinator: NSPersistentStoreCoordinator, _ model: CompiledModel) throws
        -> Int
    {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try model.entities.filter { $0.superentity == nil }.reduce(0) { sum, root in
                sum + (try context.count(for: NSFetchRequest<NSManagedObject>(entityName: root.name)))
            }
        }
    }
}
