internal import CoreDataSyncCore
internal import Foundation

/// The bytes of large values on their way: from a capture until the server has them, and from the server
/// until an import. Each is a file named by its hash, in a folder beside the ledger.
package struct BlobFolder: Sendable {
    let url: URL

    /// Data of more bytes is stored apart.
    static let limit = 64 << 10

    /// Returns the folder of a ledger: `Library.sync.sqlite` has `Library.sync.blobs`.
    init(beside ledger: URL) {
        url = ledger.deletingPathExtension().appendingPathExtension("blobs")
    }

    /// Bytes that are not there, or have another hash.
    struct Missing: Error, CustomStringConvertible {
        let name: BlobHash
        var description: String { "the bytes \(name.text) are missing" }
    }

    private func place(_ name: BlobHash) -> URL { url.appendingPathComponent(name.text) }

    func has(_ name: BlobHash) -> Bool { FileManager.default.fileExists(atPath: place(name).path) }

    /// Returns bytes; nil if they are not there.
    func read(_ name: BlobHash) throws -> [UInt8]? {
        guard has(name) else { return nil }
        let bytes = Array(try Data(contentsOf: place(name)))
        guard BlobHash(of: bytes) == name else {
            // A disk that lost what it had written: the file is no use.
            try FileManager.default.removeItem(at: place(name))
            return nil
        }
        return bytes
    }

    /// Keeps bytes, whose hash the name is.
    func write(_ bytes: [UInt8], as name: BlobHash) throws {
        guard !has(name) else { return }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(bytes).write(to: place(name), options: .atomic)
    }

    /// Removes all bytes but those.
    func removeAll(except names: @autoclosure () -> Set<BlobHash>) throws {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: url.path), !files.isEmpty
        else {
            return
        }
        let kept = Set(names().map(\.text))
        for file in files where !kept.contains(file) {
            try FileManager.default.removeItem(at: url.appendingPathComponent(file))
        }
    }

    /// Returns a value with its bytes.
    ///
    /// - Throws: `Missing`.
    func whole(_ value: SyncValue) throws -> SyncValue {
        try value.whole { name in
            guard let bytes = try read(name) else { throw Missing(name: name) }
            return bytes
        }
    }
}
