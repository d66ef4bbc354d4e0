import CSQLite
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import Foundation

/// The files beside a store that hold values too large for a row (sqlite-store §6), and what the open
/// transaction of one connection does to them: files it wrote go with a rollback, files it let go of go with
/// the commit. What it is about is noted before it is done, so that the files of a process that dies are
/// found by the next to open the store.
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

    /// What a column holds whose attribute allows external storage.
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

    /// Puts a value into a new file and answers with what the row keeps.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SQLError) -> Data {
        let name = UUID().uuidString
        do throws(StoreError) {
            try noting(name)
            // Before it is written: a disk that is full leaves the beginning of a file.
            written.append(name)
            try folder.write(bytes, to: name)
        } catch {
            throw Self.failure(error)
        }
        return Self.reference(to: name)
    }

    /// Makes sure that what was written survives a crash of the machine, as the rows that name it will. To be
    /// called before the commit.
    func synchronize() throws(SQLError) {
        if written.isEmpty { return }
        do throws(StoreError) {
            try folder.synchronize()
        } catch {
            throw Self.failure(error)
        }
    }

    /// With the code that SQLite has for the like.
    private static func failure(_ error: StoreError) -> SQLError {
        let (kind, code): (SQLError.Kind, Int32) =
            switch error.kind {
            case .diskFull: (.diskFull, SQLITE_FULL)
            case .readOnly: (.readOnly, SQLITE_READONLY)
            default: (.cannotCreate, SQLITE_IOERR)
            }
        return SQLError(
            kind: kind, code: Int(code), message: "\(error.message) (\(error.path ?? ""))", sql: nil)
    }

    /// What a row keeps in the place of a file's content.
    static func reference(to name: String) -> Data { Data([marker]) + Data(name.utf8) + Data([0]) }

    /// Lets go of a file, which is removed once the transaction is committed.
    func release(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.append(name)
        // If it cannot be noted a sudden death leaves a file that nothing names: the value is let go all the
        // same.
        try? noting(name)
    }

    /// Takes a file back that was let go of: the row that is written again goes on naming it.
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

    /// Leaves the files to the next to open the store, where it cannot be told whether the transaction has
    /// been committed: the rows will tell then.
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
