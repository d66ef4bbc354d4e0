import CoreDataMemory
import CoreDataStore
import Foundation

/// A store that is to be replaced by a copy.
///
/// Writes of other connections in the meantime are not lost: either they cannot write, or the copy does not
/// replace the store.
protocol ReplacedStore {
    /// Puts the copy in the place of the store. Throws an error of kind `overtaken`, and leaves the store
    /// unchanged, if another process has written to it.
    func replace(with copy: URL) throws
    /// Lets other connections write to the store again.
    func release()
}

extension NSPersistentStore {
    final func reservedForReplacement(at url: URL) throws -> any ReplacedStore {
        guard let store = self as? DatabaseStore else { return ReplacedFile(self, url) }
        do {
            return ReplacedDatabase(
                reservation: try Swift.type(of: store).driver().reserve(
                    DatabaseStore.place(of: url), timeout: store.databaseOptions.timeout))
        } catch {
            throw translated(error)
        }
    }
}

private struct ReplacedDatabase: ReplacedStore {
    let reservation: any StoreReserving

    func replace(with copy: URL) throws { try reservation.move(DatabaseStore.place(of: copy)) }

    func release() { reservation.end() }
}

/// A file that is written as a whole, by one of the framework's stores or by an app's own.
private struct ReplacedFile: ReplacedStore {
    private let file: WholeFile

    init(_ store: NSPersistentStore, _ url: URL) {
        file = WholeFile(url, timeout: (store.options ?? [:]).timeout)
        file.note()
    }

    func replace(with copy: URL) throws { try file.take(copy) }

    func release() {}
}
