import CSQLite
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import Foundation

/// The files beside a store for values that are too large for a row (sqlite-store §6), as one connection uses
/// them.
///
/// A rollback removes the files that the open transaction wrote, and a commit removes the files that it
/// released. Their names are noted first, so that if the process dies, the next one to open the store finds
/// its files.
final class ExternalFiles {
    private static let marker: UInt8 = 2
    private static let nameLength = 36

    private let storePath: String
    private let folder: ExternalFolder
    private var written: [String] = []
    private var released: [String] = []
    private var note: PendingFiles?

    init(storePath: String) {
        self.storePath = storePath
        folder = ExternalFolder(ofStoreAt: storePath)
    }

    // MARK: Reading

    /// The stored form of a value whose attribute allows external storage.
    enum Stored {
        /// Marker 01, then the value.
        case value(UnsafeRawBufferPointer)
        /// Marker 02, 36 characters, a NUL.
        case file(name: String)
        case unknown

        init(_ bytes: UnsafeRawBufferPointer) {
            switch bytes.first {
            case nil: self = .value(bytes)
            case 1: self = .value(UnsafeRawBufferPointer(rebasing: bytes[1...]))
            case marker:
                let name = String(decoding: bytes.dropFirst().prefix(nameLength), as: UTF8.self)
                let isName = bytes.count == nameLength + 2 && UUID(uuidString: name) != nil
                self = isName ? .file(name: name) : .unknown
            default: self = .unknown
            }
        }
    }

    /// Reads the value in a file.
    func read(_ name: String) throws(Unreadable) -> Data {
        let data: Data
        do throws(PlainFile.Failure) {
            data = try folder.read(name)
        } catch {
            throw Unreadable(reason: error.code == ENOENT ? .missingFile : .unreadableFile(error.text))
        }
        if data.isEmpty { throw Unreadable(reason: .emptyFile) }
        return data
    }

    struct Unreadable: Error {
        let reason: UnreadableValue.Reason
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    // MARK: Writing

    /// Writes a value to a new file, and returns the bytes that the row keeps instead.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SQLError) -> Data {
        let name = UUID().uuidString
        do throws(StoreError) {
            try noting(name)
            // Noted before it is written, since a full disk leaves the beginning of a file.
            written.append(name)
            try folder.write(bytes, to: name)
        } catch {
            throw Self.failure(error)
        }
        return Self.reference(to: name)
    }

    /// Makes sure that the written files survive a crash of the machine, like the rows that name them. Must
    /// be called before the commit.
    func synchronize() throws(SQLError) {
        if written.isEmpty { return }
        do throws(StoreError) {
            try folder.synchronize()
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns an error with the result code that SQLite uses for the same failure.
    static func failure(_ error: StoreError) -> SQLError {
        let (kind, code): (SQLError.Kind, Int32) =
            switch error.kind {
            case .diskFull: (.diskFull, SQLITE_FULL)
            case .readOnly: (.readOnly, SQLITE_READONLY)
            default: (.cannotCreate, SQLITE_IOERR)
            }
        return SQLError(
            kind: kind, code: Int(code), message: "\(error.message) (\(error.path ?? ""))", sql: nil)
    }

    /// Returns the bytes that a row stores instead of a file's content.
    static func reference(to name: String) -> Data { Data([marker]) + Data(name.utf8) + Data([0]) }

    /// Releases a file. It is removed when the transaction is committed.
    func release(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.append(name)
        // Without the note, a file that no row names stays if the process dies. That is no reason for the
        // transaction to fail.
        try? noting(name)
    }

    /// Cancels the release of a file, since the row that is written again still names it.
    func keep(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.removeAll { $0 == name }
    }

    private func noting(_ name: String) throws(StoreError) {
        if note == nil { note = try PendingFiles(of: storePath) }
        try note?.add(name)
    }

    func commit() {
        remove(released)
    }

    /// Leaves the files and their note to the next process to open the store. Called when a commit failed
    /// without an indication whether it took effect; the rows will show it.
    func leave() {
        note?.abandon()
        forget()
    }

    func rollback() {
        remove(written)
    }

    private func remove(_ names: [String]) {
        note?.remove(names)
        forget()
    }

    private func forget() {
        written.removeAll()
        released.removeAll()
        note = nil
    }
}
