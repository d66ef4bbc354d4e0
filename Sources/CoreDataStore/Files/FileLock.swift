import Foundation

/// The right to put another file in the place of one, which one thread of one process has at a time.
package struct FileLock: ~Copyable {
    private let descriptor: Int32
    /// Whether there was nothing, and an empty file was made to be locked.
    private let isMade: Bool

    /// Waits for others.
    ///
    /// - Parameters:
    ///   - makesFile: whether an empty file is made where there is none.
    /// - Returns: Nil where there is no file, and none is to be made.
    private init?(_ path: String, makesFile: Bool, timeout: Double) throws(StoreError) {
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            let made = makesFile ? open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) : -1
            if makesFile, made < 0, errno != EEXIST {
                throw StoreError(system: errno, "the file cannot be opened", path: path)
            }
            let descriptor = made >= 0 ? made : open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let code = errno
                guard code == ENOENT else {
                    throw StoreError(system: code, "the file cannot be opened", path: path)
                }
                if !makesFile { return nil }
                // Removed by somebody else since it was there, or a link to nothing.
                try FileLocking.wait(until: deadline, path: path)
                continue
            }
            let outcome: FileLocking.Outcome
            do throws(StoreError) {
                outcome = try FileLocking.lock(descriptor, path: path)
            } catch {
                _ = close(descriptor)
                throw error
            }
            // What lies there may be another file by now.
            if outcome != .taken, FileLocking.isAt(path, descriptor) {
                (self.descriptor, isMade) = (descriptor, made >= 0)
                return
            }
            _ = close(descriptor)
            try FileLocking.wait(until: deadline, path: path)
        }
    }

    deinit { _ = close(descriptor) }

    /// Puts a finished file that lies beside it in the place of whatever is at a path, and makes sure of
    /// that. The file is given the permissions of what was there.
    ///
    /// - Parameter condition: is asked about what is there, when nobody else can put anything in its place.
    /// - Returns: Whether the condition was met. If an error is thrown, the file may have taken its place all
    ///   the same, without being sure to survive a crash of the machine.
    package static func put(
        _ new: String, at path: String, timeout: Double, if condition: (FileStamp?) -> Bool = { _ in true }
    ) throws(StoreError) -> Bool {
        guard let lock = try FileLock(path, makesFile: true, timeout: timeout) else { return false }
        let isPut = try withExtendedLifetime(lock) { () throws(StoreError) in
            guard condition(FileStamp(lock.descriptor)) else { return false }
            var state = stat()
            if !lock.isMade, fstat(lock.descriptor, &state) == 0 { chmod(new, state.st_mode & 0o777) }
            if rename(new, path) == 0 { return true }
            let code = errno
            // Nothing came in the place of what was made to be locked.
            if lock.isMade { unlink(path) }
            throw StoreError(system: code, "the file cannot be put in its place", path: path)
        }
        if isPut { try FileSystem.synchronize(folderOf: path) }
        return isPut
    }

    /// Removes what is at a path, if anything is.
    package static func remove(_ path: String, timeout: Double) throws(StoreError) {
        guard let lock = try FileLock(path, makesFile: false, timeout: timeout) else { return }
        try withExtendedLifetime(lock) { () throws(StoreError) in
            guard unlink(path) == 0 else {
                throw StoreError(system: errno, "the file cannot be removed", path: path)
            }
        }
        try FileSystem.synchronize(folderOf: path)
    }
}

/// What tells a state of a file from another: files are not changed but replaced.
package struct FileStamp: Equatable, Sendable {
    private let number: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil if there is no file, or nothing in it. Devices have none: what others do with them says nothing.
    package init?(_ descriptor: Int32) {
        var state = stat()
        guard fstat(descriptor, &state) == 0 else { return nil }
        self.init(state)
    }

    package init?(path: String) {
        var state = stat()
        guard stat(path, &state) == 0 else { return nil }
        self.init(state)
    }

    private init?(_ state: stat) {
        guard state.st_mode & S_IFMT == S_IFREG, state.st_size > 0 else { return nil }
        number = UInt64(state.st_ino)
        size = Int64(state.st_size)
        (seconds, nanoseconds) = (state.st_mtim.tv_sec, state.st_mtim.tv_nsec)
    }
}
