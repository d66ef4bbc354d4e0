import CSQLite
import CoreDataSQL
import CoreDataStore
import Foundation

/// The files beside a store that hold values too large for a row (sqlite-store §6), and what the open transaction
/// of one connection does to them: files it wrote go with a rollback, files it let go of go with the commit. What it is
/// about is noted before it is done, so that the files of a process that dies are found by the next to open the store.
final class ExternalFiles {
    private static let marker: UInt8 = 2
    private static let nameLength = 36

    let directory: String
    private var written: [String] = []
    private var released: [String] = []
    private var note: PendingFiles?

    init(storePath: String) {
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
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try noting(name)
            // Before it is written: a disk that is full leaves the beginning of a file.
            written.append(name)
            try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        } catch {
            let (kind, code) = Self.kind(of: error)
            throw SQLError(
                kind: kind, code: Int(code),
                message: "the external file \(path(name)) cannot be written: \(Self.text(of: error))",
                sql: nil)
        }
        return Self.reference(to: name)
    }

    /// With the code that SQLite has for the like.
    private static func kind(of error: any Error) -> (SQLError.Kind, Int32) {
        switch (error as NSError).code {
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
        // If it cannot be noted a sudden death leaves a file that nothing names: the value is let go all the same.
        try? noting(name)
    }

    /// The row goes on having what it has, though it is written again.
    func keep(_ reference: Data) {
        guard case .file(let name) = reference.withUnsafeBytes(Stored.init) else { return }
        released.removeAll { $0 == name }
    }

    private func noting(_ name: String) throws {
        let note = try note ?? PendingFiles(of: directory)
        self.note = note
        try note.add(name)
    }

    func commit() {
        remove(released)
    }

    func rollback() {
        remove(written)
    }

    private func remove(_ names: [String]) {
        for name in names { try? FileManager.default.removeItem(atPath: path(name)) }
        written.removeAll()
        released.removeAll()
        note?.remove()
        note = nil
    }
}
