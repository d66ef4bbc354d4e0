import CoreData

/// The atlas, in a file.
struct AtlasContainer {
    static let entityNames = ["Country", "Language", "LanguageKind", "Subdivision", "SubdivisionKind"]

    let container: NSPersistentContainer
    let url: URL

    var context: NSManagedObjectContext { container.viewContext }

    init(url: URL) throws {
        self.url = url
        container = NSPersistentContainer(name: "Atlas")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    func rowCounts() throws -> Table {
        var table = Table(columns: ["Entity", "Rows"])
        for name in Self.entityNames {
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
            table.rows.append([name, "\(count)"])
        }
        return table
    }

    /// The size of the file and its log.
    var bytes: Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    static func removeFiles(at url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}
