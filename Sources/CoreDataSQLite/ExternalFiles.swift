import CSQLite
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

    let directory: String
    private let storePath: String
    private var written: [String] = []
    private var released: [String] = []
    private var note: PendingFiles?

    init(storePath: String) {
        self.storePath = storePath
        directory = SQLiteStores.supportFolder(of: storePath) + "/_EXTERNAL_DATA"
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

    /// The value that stored bytes stand for, as a file has it.
    func read(_ name: String) throws(Unreadable) -> Data {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path(name)))
            if data.isEmpty { throw Unreadable(reason: .emptyFile) }
            return data
        } catch let error as Unreadable {
            throw error
        } catch CocoaError.fileReadNoSuchFile {
            throw Unreadable(reason: .missingFile)
        } catch {
            throw Unreadable(reason: .unreadableFile(Self.text(of: error)))
        }
    }

    struct Unreadable: Error {
        let reason: UnreadableValue.Reason
    }

    /// What the system says, without the path, which the reader knows.
    private static func text(of error: any Error) -> String {
        if let error = error as? StoreError { return error.message }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return "\(error)" }
        return String(cString: strerror(Int32(underlying.code)))
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    // MARK: Writing

    /// Puts a value into a new file and answers with what the row keeps.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SQLError) -> Data {
        let name = UUID().uuidString
        do {
            try makeFolder()
            try noting(name)
            // Before it is written: a disk that is full leaves the beginning of a file.
            written.append(name)
            let url = URL(fileURLWithPath: path(name))
            do {
                try Data(bytes).write(to: url)
            } catch CocoaError.fileNoSuchFile {
                // Another process has just removed the folder, which was empty.
                try makeFolder()
                try Data(bytes).write(to: url)
            }
            // A row must not outlast what it names.
            try FileSystem.synchronize(file: url.path)
        } catch {
            throw Self.failure(error, path(name))
        }
        return Self.reference(to: name)
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// To be called before the commit.
    func synchronize() throws(SQLError) {
        if written.isEmpty { return }
        do throws(StoreError) {
            try FileSystem.synchronize(folder: directory)
        } catch {
            throw Self.failure(error, directory)
        }
    }

    private static func failure(_ error: any Error, _ path: String) -> SQLError {
        let (kind, code) = kind(of: error)
        return SQLError(
            kind: kind, code: Int(code),
            message: "the external file \(path) cannot be written: \(text(of: error))", sql: nil)
    }

    /// With the code that SQLite has for the like.
    private static func kind(of error: any Error) -> (SQLError.Kind, Int32) {
        if let error = error as? StoreError {
            return switch error.kind {
            case .diskFull: (.diskFull, SQLITE_FULL)
            case .readOnly: (.readOnly, SQLITE_READONLY)
            default: (.cannotCreate, SQLITE_IOERR)
            }
        }
        return switch (error as NSError).code {
        case CocoaError.fileWriteOutOfSpace.rawValue: (.diskFull, SQLITE_FULL)
        case CocoaError.fileWriteNoPermission.rawValue, CocoaError.fileWriteVolumeReadOnly.rawValue:
            (.readOnly, SQLITE_READONLY)
        default: (.cannotCreate, SQLITE_IOERR)
        }
    }

    /// What a row keeps in the place of a file's content.
    static func reference(to name: String) -> Data { Data([marker]) + Data(name.utf8) + Data([0]) }

    /// The value is not needed once the transaction is committed.
    func release(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.append(name)
        // If it cannot be noted a sudden death leaves a file that nothing names: the value is let go all the
        // same.
        try? noting(name)
    }

    /// The row goes on having what it has, though it is written again.
    func keep(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.removeAll { $0 == name }
    }

    private func noting(_ name: String) throws {
        let note = try note ?? PendingFiles(of: storePath)
        self.note = note
        try note.add(name)
    }

    func commit() {
        remove(released)
    }

    /// Whether the transaction has been committed nobody knows: the next to open the store will see.
    func leave() {
        note?.abandon()
        forget()
    }

    func rollback() {
        remove(written)
    }

    private func remove(_ names: [String]) {
        note?.remove(names.map(path))
        forget()
    }

    private func forget() {
        written.removeAll()
        released.removeAll()
        note = nil
    }
}
