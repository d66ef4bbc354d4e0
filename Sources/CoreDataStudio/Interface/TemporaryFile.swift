import CoreDataStore
import CoreDataTool
import Foundation
import Synchronization

/// A file that has no name in its folder: the system removes it once nothing holds it open, also when the program is
/// killed.
final class TemporaryFile: Sendable {
    private let handle: Mutex<FileHandle>

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        guard let descriptor = try? FileSystem.openUnnamed(in: folder) else {
            throw ToolError("no file can be made in \(folder)")
        }
        handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func write(_ data: Data) throws { try handle.withLock { try $0.write(contentsOf: data) } }

    /// The contents from the beginning, in parts, once.
    var parts: AsyncThrowingStream<[UInt8], any Error> {
        handle.withLock { try? $0.seek(toOffset: 0) }
        return AsyncThrowingStream { [self] in
            try handle.withLock { handle in
                guard let part = try handle.read(upToCount: 256 << 10), !part.isEmpty else { return nil }
                return Array(part)
            }
        }
    }
}
