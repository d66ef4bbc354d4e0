import CoreDataModelFormat
package import Foundation
import Synchronization

/// A new file or folder under a unique name, locked as long as its process lives and needs it. A file with
/// such a name that is not locked was left behind by a process that died.
package final class Claim: Sendable {
    package enum Kind: Sendable {
        case file(permissions: UInt16)
        /// A folder that only its user may open.
        case folder
    }

    package let path: String
    /// The descriptor, open for writing if it is a file.
    package let descriptor: Int32
    private let isOpen = Atomic(true)

    /// Makes the file or folder and locks it.
    ///
    /// - Parameters:
    ///   - kind: Whether to make a file or a folder.
    ///   - prefix: The path without the unique end of the name.
    package init(_ kind: Kind, named prefix: String) throws(StoreError) {
        while true {
            let path = prefix + UUID().uuidString
            guard let descriptor = try Self.make(kind, path) else { continue }
            // Another process may have removed it as abandoned before it was locked.
            if try Self.isOurs(descriptor, path) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            _ = close(descriptor)
        }
    }

    private init(path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { release() }

    private static func make(_ kind: Kind, _ path: String) throws(StoreError) -> Int32? {
        switch kind {
        case .file(let permissions):
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
            guard descriptor >= 0 else {
                throw StoreError(system: errno, "the file cannot be made", path: path)
            }
            return descriptor
        case .folder:
            guard mkdir(path, 0o700) == 0 else {
                throw StoreError(system: errno, "the folder cannot be made", path: path)
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            if errno == ENOENT { return nil }
            let code = errno
            rmdir(path)
            throw StoreError(system: code, "the folder cannot be opened", path: path)
        }
    }

    private static func isOurs(_ descriptor: Int32, _ path: String) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try FileLocking.lock(descriptor, path: path) != .taken
                && FileLocking.isAt(path, descriptor)
        } catch {
            _ = close(descriptor)
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// Takes over a file or folder that a dead process left; nil if a process still uses it, or if that is
    /// unknown.
    package static func abandoned(at path: String) -> Claim? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if (try? FileLocking.lock(descriptor, path: path)) == .locked, FileLocking.isAt(path, descriptor) {
            return Claim(path: path, descriptor: descriptor)
        }
        _ = close(descriptor)
        return nil
    }

    /// Writes to the end of the file.
    package func append(_ data: Data) throws(StoreError) {
        let failure = data.withUnsafeBytes { FileSystem.write($0, to: descriptor) }
        if let failure { throw StoreError(failure, "the file cannot be written", path: path) }
    }

    /// Makes sure that the written data survives a crash of the machine.
    package func synchronize() throws(StoreError) {
        do throws(PlainFile.Failure) {
            try FileSystem.synchronize(file: descriptor)
        } catch {
            throw StoreError(error, "the file cannot be written", path: path)
        }
    }

    /// Removes the file or folder and unlocks it.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
        release()
    }

    /// Unlocks the file or folder, which stays.
    package func release() {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        _ = close(descriptor)
    }
}
