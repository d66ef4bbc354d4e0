import CoreDataStore
import CoreDataValues
import Foundation

/// A store in a SQLite file, in Apple's layout.
///
/// At `/dev/null` it is a file in a folder of this process, deleted when the store closes.
final class SQLiteStore: DatabaseStore, FileBasedStore, @unchecked Sendable {
    private var scratchFolder: Claim?

    override var type: String { NSSQLiteStoreType }

    override class func driver() -> any DatabaseStores.Type { sqliteStores }

    deinit { removeScratchFolder() }

    // MARK: At /dev/null

    private func makeScratchFolder() throws -> Claim {
        let shared = URL(fileURLWithPath: "/dev/shm")
        let base =
            FileManager.default.isWritableFile(atPath: shared.path)
            ? shared : FileManager.default.temporaryDirectory
        let prefix = base.appendingPathComponent("CoreData-").path
        Leftovers.remove(named: prefix)
        return try Claim(.folder, named: prefix)
    }

    private func removeScratchFolder() {
        scratchFolder?.remove()
        scratchFolder = nil
    }

    override func openingPlace() throws -> String {
        guard url?.isNowhere == true else { return try super.openingPlace() }
        let folder = try makeScratchFolder()
        scratchFolder = folder
        return URL(fileURLWithPath: folder.path).appendingPathComponent("store").path
    }

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        do {
            return try super.open(model, entities)
        } catch {
            removeScratchFolder()
            throw error
        }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
        removeScratchFolder()
    }

    // MARK: Files

    static func canRead(_ url: URL) -> Bool {
        (try? sqliteStores.isDatabase(at: url.path, timeout: DatabaseOptions().timeout)) ?? false
    }

    override class func removeLeftovers(at url: URL) {
        super.removeLeftovers(at: url)
        sqliteStores.removeExternalFiles(leftAt: url.path)
    }

    override class func files(ofStoreAt url: URL) -> [URL] {
        sqliteStores.files(of: url.path).map { URL(fileURLWithPath: $0) }
    }

    override class func containsSame(
        _ url: URL, as other: URL, _ options: [AnyHashable: Any]
    ) throws -> Bool {
        do {
            return try sqliteStores.containsSame(url.path, as: other.path, timeout: options.timeout)
        } catch {
            throw error.nsError()
        }
    }

    override class func copyFiles(
        from source: URL, to target: URL, _ options: [AnyHashable: Any]
    ) throws {
        do {
            try sqliteStores.copy(from: source.path, to: target.path, timeout: options.timeout)
        } catch {
            throw error.nsError()
        }
    }
}
