import CoreDataMemory
import CoreDataSQLite
import CoreDataStore
import Foundation

/// A store that a copy of it is to replace. What anybody else writes to it in the meantime is not lost: they cannot, or the
/// copy does not take its place.
protocol ReplacedStore {
    /// Whether nobody else can replace the store at the same time.
    var isExclusive: Bool { get }
    /// Throws, and leaves the store alone, if somebody else has written to it.
    func replace(with copy: URL) throws
    /// Lets others have it again.
    func release()
}

extension NSPersistentStore {
    final func reservedForReplacement(at url: URL) throws -> any ReplacedStore {
        guard let store = self as? SQLiteStore else { return ReplacedFile(self, url) }
        do {
            return ReplacedDatabase(url, try StoreReservation(url.path, timeout: store.sqliteOptions.timeout))
        } catch {
            throw error.nsError()
        }
    }
}

private struct ReplacedDatabase: ReplacedStore {
    private let url: URL
    private let reservation: StoreReservation
    let isExclusive = true

    init(_ url: URL, _ reservation: StoreReservation) {
        self.url = url
        self.reservation = reservation
    }

    func replace(with copy: URL) throws {
        do {
            try SQLiteStores.copy(from: copy.path, to: url.path, reservation: reservation)
        } catch {
            throw error.nsError()
        }
    }

    func release() { reservation.end() }
}

/// A file that is written as a whole, by one of the framework's stores or by an app's own.
private struct ReplacedFile: ReplacedStore {
    private let store: NSPersistentStore
    private let url: URL
    private let stamp: WholeFile.Stamp?
    let isExclusive = false

    init(_ store: NSPersistentStore, _ url: URL) {
        self.store = store
        self.url = url
        stamp = WholeFile.stamp(of: url)
    }

    func replace(with copy: URL) throws {
        guard WholeFile.stamp(of: url) == stamp else { throw WholeFile.overtaken(url).nsError() }
        if store is any FileBasedStore {
            return try type(of: store).copyFiles(from: copy, to: url, store.options ?? [:])
        }
        // A store of an app's own class is a file, as far as anybody knows.
        guard rename(copy.path, url.path) == 0 else {
            throw CoreDataError.error(
                CocoaError.Code.fileWriteUnknown.rawValue,
                reason: "The migrated store cannot take the place of the old one: "
                    + String(cString: strerror(errno)), [filePathKey: url.path])
        }
    }

    func release() {}
}
