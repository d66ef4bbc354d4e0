package import CoreDataSyncCore
import CoreDataValues
import Dispatch
package import Foundation
import Synchronization

/// The files of a server's blobs, named by the SHA-256 of their bytes.
///
/// A file is written beside its place, part by part, and moved there once its hash is right, so that a file
/// in its place is always whole. Which zones have a blob says the database.
package final class BlobStore: Sendable {
    /// The bytes of one part at most.
    package static let part = 8 << 20

    /// Returns the SHA-256 of the rest of a file.
    package typealias Hasher = @Sendable (FileHandle) throws -> [UInt8]

    private let folder: String
    private let hasher: Hasher
    /// The uploads that a request works on.
    private let busy = Mutex<Set<String>>([])
    private let queue = DispatchQueue(label: "CoreDataSyncServer.BlobStore", attributes: .concurrent)

    /// - Parameter hasher: The default reads the whole file into memory.
    package init(
        folder: String, hasher: @escaping Hasher = { Array(SHA2.sha256(try $0.readToEnd() ?? Data())) }
    ) throws {
        self.folder = folder
        self.hasher = hasher
        for name in ["uploads", "files"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
    }

    /// The file with the name that a database knows the folder by.
    private var nameFile: String { "\(folder)/name" }

    /// Returns the name that a database has given to the folder; nil if none has.
    func name() throws -> SyncID? {
        guard FileManager.default.fileExists(atPath: nameFile) else { return nil }
        let text = try String(contentsOfFile: nameFile, encoding: .utf8)
        guard let id = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw DataPlaceError("\(nameFile) is damaged")
        }
        return SyncID(id)
    }

    /// Names the folder.
    func set(name: SyncID) throws {
        try Data("\(name)\n".utf8).write(to: URL(fileURLWithPath: nameFile), options: .atomic)
    }

    /// Returns the error of a folder that is not the one of the database.
    func error(forOtherThan name: SyncID) -> DataPlaceError {
        DataPlaceError(
            """
            \(folder) is not the folder of blobs that this database has: every process needs that one, on a disk that \
            they share. If it is a copy of that folder, or its blobs are lost, write \(name) into \(nameFile)
            """)
    }

    private func path(of hash: BlobHash) -> String { "\(folder)/files/\(hash.text.prefix(2))/\(hash.text)" }
    private func upload(_ zone: Int64, _ hash: BlobHash) -> String {
        "\(folder)/uploads/\(zone).\(hash.text)"
    }

    /// Returns how many bytes of an upload are there.
    package func progress(of hash: BlobHash, in zone: Int64) -> UInt64 {
        Self.size(upload(zone, hash)) ?? 0
    }

    /// Returns how many bytes are there of the uploads to a zone, except those of one blob.
    func uploadedBytes(in zone: Int64, without hash: BlobHash) throws -> UInt64 {
        let other = (upload(zone, hash) as NSString).lastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/uploads").reduce(0) {
            guard $1.hasPrefix("\(zone)."), $1 != other else { return $0 }
            return $0 + (Self.size("\(folder)/uploads/\($1)") ?? 0)
        }
    }

    /// Adds a part to an upload, and puts the file in its place when it is whole.
    ///
    /// - Returns: Whether it is whole.
    /// - Throws: `ServiceError.conflict` if the part does not begin where the upload ends, or another request
    ///   adds to it; `.malformed` if the whole has another hash, after which the upload begins anew.
    package func add(
        _ bytes: Data, at offset: UInt64, of total: UInt64, to hash: BlobHash, in zone: Int64
    ) async throws -> Bool {
        let path = upload(zone, hash)
        guard busy.withLock({ $0.insert(path).inserted }) else {
            throw ServiceError.conflict("another request uploads this blob")
        }
        defer { _ = busy.withLock { $0.remove(path) } }
        return try await onQueue {
            let present = Self.size(path) ?? 0
            guard offset == present else { throw ServiceError.conflict("the upload has \(present) bytes") }
            guard present + UInt64(bytes.count) <= total else {
                throw ServiceError.malformed("the part is longer than the rest of the blob")
            }
            try Self.append(bytes, to: path)
            guard present + UInt64(bytes.count) == total else { return false }
            guard try self.hash(of: path) == hash else {
                try FileManager.default.removeItem(atPath: path)
                throw ServiceError.malformed("the bytes have another hash")
            }
            try self.put(path, hash)
            return true
        }
    }

    private func put(_ path: String, _ hash: BlobHash) throws {
        let place = self.path(of: hash)
        let folder = (place as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard rename(path, place) == 0 else { throw CocoaError(.fileWriteUnknown) }
        // The name must survive a crash before the database says that the blob is there.
        for folder in [folder, "\(self.folder)/files"] {
            let descriptor = open(folder, O_RDONLY)
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            close(descriptor)
        }
    }

    /// Returns so many bytes of a blob from an offset on; fewer at its end.
    package func read(_ hash: BlobHash, from offset: UInt64, count: Int) async throws -> Data {
        let path = path(of: hash)
        return try await onQueue {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                // A device takes a blob that is missing for lost. One that cannot be opened now it asks for again.
                throw errno == ENOENT
                    ? ServiceError.missing("the file of the blob is missing") : ServiceError.busy
            }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            defer { try? file.close() }
            try file.seek(toOffset: offset)
            return try file.read(upToCount: count) ?? Data()
        }
    }

    /// Removes files that are older than a time and in none of the zones.
    ///
    /// - Parameter isUsed: Whether a zone has a blob.
    package func sweep(
        olderThan date: Date, isUsed: @escaping @Sendable ([BlobHash]) async throws -> Set<BlobHash>
    ) async throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: "\(folder)/uploads") {
            let path = "\(folder)/uploads/\(name)"
            if Self.isOlder(path, date) { try? manager.removeItem(atPath: path) }
        }
        for prefix in try manager.contentsOfDirectory(atPath: "\(folder)/files") {
            let hashes = try manager.contentsOfDirectory(atPath: "\(folder)/files/\(prefix)")
                .compactMap { BlobHash($0) }.filter { Self.isOlder(path(of: $0), date) }
            let used = hashes.isEmpty ? [] : try await isUsed(hashes)
            // Somebody may have uploaded it again meanwhile, and it is not in the database before it is here.
            for hash in hashes where !used.contains(hash) && Self.isOlder(path(of: hash), date) {
                try? manager.removeItem(atPath: path(of: hash))
            }
        }
    }

    // MARK: Files

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    private static func size(_ path: String) -> UInt64? {
        var state = stat()
        return stat(path, &state) == 0 ? UInt64(state.st_size) : nil
    }

    private static func isOlder(_ path: String, _ date: Date) -> Bool {
        var state = stat()
        guard stat(path, &state) == 0 else { return false }
        return Double(state.st_mtim.tv_sec) < date.timeIntervalSince1970
    }

    private static func isFull(_ error: Int32) -> Bool { [ENOSPC, EDQUOT].contains(error) }

    private static func append(_ bytes: Data, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.isFull(errno) ? ServiceError.full : ServiceError.busy }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: bytes)
        try file.synchronize()
        try file.close()
    }

    private func hash(of path: String) throws -> BlobHash? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return BlobHash(try hasher(file))
    }
}
