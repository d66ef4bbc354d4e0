import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// Reads the rows behind relationships of fetched objects, one statement a key and a store.
struct Prefetcher {
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
        for keyPath in keyPaths {
            var level = objects
            for key in keyPath.split(separator: ".").map(String.init) {
                level = try prefetch(key, of: level)
            }
        }
    }

    /// The destinations, with their rows in memory.
    private func prefetch(_ key: String, of objects: [NSManagedObject]) throws -> [NSManagedObject] {
        var destinations: [NSManagedObject] = []
        var seen: Set<NSManagedObject> = []
        var missing: [Int16: [ObjectReference]] = [:]
        for object in objects {
            guard let slot = object.runtime.slot(named: key) else {
                programmerError(object.unknownKeyMessage(key))
            }
            for destination in object.destinations(at: slot) where seen.insert(destination).inserted {
                destinations.append(destination)
                if destination.isFault, destination.committed == nil, !destination.reference.isTemporary {
                    missing[destination.storeIndex, default: []].append(destination.reference)
                }
            }
        }
        for (index, references) in missing {
            guard let handle = context.coordinator?.handle(at: index) else { continue }
            do {
                for row in handle.cache.insert(try handle.backend.snapshots(for: references)) {
                    _ = context.object(for: row, handle: handle)
                }
            } catch { throw error.nsError() }
        }
        return destinations
    }
}
