import CoreDataSQL
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
        directory = Self.supportFolder(of: storePath) + "/_EXTERNAL_DATA"
    }

    /// The folder beside a store that belongs to it.
    static func supportFolder(of storePath: String) -> String {
        let url = URL(fileURLWithPath: storePath)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT"
    }

    // MARK: Reading

    /// The name in a reference: marker 02, 36 characters, a NUL. Nil for bytes that are none.
    static func name(in bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count == nameLength + 2, bytes[0] == marker else { return nil }
        let name = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[1...nameLength]), as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// The content of a file by the name a row has for it; nil if it is gone.
    func read(_ name: String) -> Data? {
        FileManager.default.contents(atPath: path(name))
    }

    /// The bytes of a stored value that is no reference: they lie behind the marker 01.
    static func inlineBytes(of stored: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        stored.first == 1 ? UnsafeRawBufferPointer(rebasing: stored[1...]) : stored
    }

    private func path(_ name: String) -> String { "\(directory)/\(name)" }

    // MARK: Writing

    /// Puts a value into a new file and answers with what the row keeps.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SQLError) -> Data {
        let name = UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try noting(name)
            try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        } catch {
            throw SQLError(
                kind: .cannotOpen, code: 14,
                message: "the external file \(path(name)) cannot be written: \(error)",
                sql: nil)
        }
        written.append(name)
        return Self.reference(to: name)
    }

    /// What a row keeps in the place of a file's content.
    static func reference(to name: String) -> Data { Data([marker]) + Data(name.utf8) + Data([0]) }

    /// The value is not needed once the transaction is committed.
    func release(_ reference: Data) {
        guard let name = reference.withUnsafeBytes(Self.name) else { return }
        released.append(name)
        // If it cannot be noted a sudden death leaves a file that nothing names: the value is let go all the same.
        try? noting(name)
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
