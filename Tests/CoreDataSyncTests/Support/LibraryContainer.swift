import CoreData
import CoreDataSync
import Foundation

/// Containers of libraries, of which tests make and read books by their titles.
extension PersistentSyncContainer {
    /// Makes a container whose store is a file in a folder, and opens it.
    static func library(
        _ name: String, in folder: URL, sync options: SyncOptions
    ) throws -> PersistentSyncContainer {
        let container = PersistentSyncContainer(
            name: name, managedObjectModel: LibraryModel.make(), sync: options)
        let url = folder.appendingPathComponent("\(name).sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }
}

extension NSPersistentContainer {
    func insertBook(_ title: String) async throws {
        try await performBackgroundTask { context in
            _ = context.insert("Book", ["title": title])
            try context.save()
        }
    }

    /// The titles of all books, sorted.
    var titles: [String] {
        get async throws {
            try await performBackgroundTask { context in
                try context.all("Book").compactMap { $0.value(forKey: "title") as? String }.sorted()
            }
        }
    }
}
