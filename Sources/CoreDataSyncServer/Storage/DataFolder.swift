import Foundation

/// The folder with everything that a server keeps.
package struct DataFolder: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var database: String { "\(path)/syncd.sqlite" }
    package var blobs: String { "\(path)/blobs" }
    private var lock: String { "\(path)/syncd.lock" }

    /// Makes the folder, if it is not there, for its owner's eyes only.
    package func make() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Takes the folder for this process until the lock is released or the process ends.
    ///
    /// - Throws: `FolderInUse` if another process has it.
    package func lockForThisProcess() throws -> FolderLock {
        try make()
        return try FolderLock(lock)
    }
}

/// The right of one process to serve, or to replace, the data of a folder.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FolderInUse(path: path)
        }
        // Not before: an object that has all of its properties is deinitialized when its initializer throws, and would
        // close the descriptor again, which may be that of another file by then.
        self.descriptor = descriptor
    }

    deinit {
        // A child that is being started has the descriptor until it runs its program, and with it the lock.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// Another process has locked the folder.
package struct FolderInUse: Error, CustomStringConvertible {
    let path: String

    package var description: String { "another process has locked \(path): is the server running?" }
}
