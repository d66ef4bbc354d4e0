import CoreDataJSON
import Foundation

/// A file in which the studio keeps something for this user alone.
enum StateFile {
    /// Returns a short name for a place, the same in each run. Two places may share one.
    static func mark(of place: URL) -> String {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in place.path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    /// Returns what a file has; nil if it cannot be read.
    static func json(in file: URL) -> JSONValue? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONParser.parse(Array(data))
    }

    /// Writes a file as a whole, and makes its folder at need.
    static func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let new = file.appendingPathExtension("new")
        unlink(new.path)
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        guard rename(new.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
