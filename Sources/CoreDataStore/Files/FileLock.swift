import Foundation

/// The right to replace a file, which one thread of one process has at a time.
package struct FileLock: ~Copyable {
    private let descriptor: Int32
    /// Whether an empty file was made to be locked, since there was none.
    private let isMade: Bool

    /// Waits until no other thread or process has the lock, and takes it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - makesFile: Whether an empty file is made if there is none.
    ///   - timeout: Seconds to wait at most.
    /// - Returns: Nil if there is no file, and none is to be made.
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
                // Another process has just removed the file, or it is a link to nothing.
                try FileLocking.wait(until: deadline, path: path)
                continue
            }
            let outcome: FileLocking.Outcome
            do throws(StoreError) {
                outcome = try FileLocking.lock(descriptor, path: path)
            } catch {
                OpenDatabase.close(descriptor)
                throw error
            }
            // There may be another file at the path by now.
            if outcome != .taken, FileLocking.isAt(path, descriptor) {
                (self.descriptor, isMade) = (descriptor, made >= 0)
                return
            }
            OpenDatabase.close(descriptor)
            try FileLocking.wait(until: deadline, path: path)
        }
    }

    deinit { OpenDatabase.close(descriptor) }

    /// Changes the file if a condition is met, and returns whether the condition was met. After a failure, an
    /// empty file that was made to be locked is removed.
    private borrowing func changing(
        _ path: String, if condition: (FileStamp?) -> Bool, _ change: () throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            if condition(FileStamp(descriptor)) {
                try change()
                return true
            }
        } catch {
            if isMade { unlink(path) }
            throw error
        }
        if isMade { unlink(path) }
        return false
    }

    /// Moves a finished file in the same folder to a path, replacing any file there, and synchronizes the
    /// folder. The new file gets the permissions of the old one.
    ///
    /// - Parameters:
    ///   - new: The path of the finished file.
    ///   - path: The path to move it to.
    ///   - companions: The paths of files that belong to the old file. They are removed.
    ///   - timeout: Seconds to wait for the lock at most.
    ///   - condition: Returns whether to go on, given the stamp of the present file, which is locked
    ///     meanwhile.
    /// - Returns: Whether the condition was met. If an error is thrown, the file may have been replaced
    ///   nevertheless, but the replacement may not survive a crash of the machine.
    package static func put(
        _ new: String, at path: String, removing companions: [String] = [], timeout: Double,
        if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        guard let lock = try FileLock(path, makesFile: true, timeout: timeout) else { return false }
        let isPut = try lock.changing(path, if: condition) { () throws(StoreError) in
            var state = stat()
            if !lock.isMade, fstat(lock.descriptor, &state) == 0 { chmod(new, state.st_mode & 0o777) }
            for companion in companions { try remove(companion) }
            guard rename(new, path) == 0 else {
                throw StoreError(system: errno, "the file cannot be put in its place", path: path)
            }
        }
        if isPut { try FileSystem.synchronize(folderOf: path) }
        return isPut
    }

    /// Removes the file at a path, if there is one.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - companions: The paths of files that belong to it. They are removed, too.
    ///   - timeout: Seconds to wait for the lock at most.
    ///   - condition: Returns whether to go on, given the stamp of the present file, which is locked
    ///     meanwhile.
    /// - Returns: Whether the condition was met, or there is no file.
    package static func remove(
        _ path: String, with companions: [String] = [], timeout: Double, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        let hasCompanion = companions.contains { access($0, F_OK) == 0 }
        guard let lock = try FileLock(path, makesFile: hasCompanion, timeout: timeout) else { return true }
        let isRemoved = try lock.changing(path, if: condition) { () throws(StoreError) in
            for file in companions + [path] { try remove(file) }
        }
        if isRemoved { try FileSystem.synchronize(folderOf: path) }
        return isRemoved
    }

    /// Runs `body`, which examines and changes the file at a path, and repeats it while other processes
    /// replace the file in between.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - timeout: The greatest number of seconds to go on repeating.
    ///   - body: Takes the stamp of the present file. Returns false, or throws an error of kind `overtaken`,
    ///     if another process has replaced the file since.
    package static func retrying(
        _ path: String, timeout: Double, _ body: (FileStamp?) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            do throws(StoreError) {
                if try body(FileStamp(path: path)) { return }
            } catch {
                guard case .overtaken = error.kind else { throw error }
            }
            try FileLocking.wait(until: deadline, path: path)
        }
    }

    private static func remove(_ file: String) throws(StoreError) {
        guard unlink(file) == 0 || errno == ENOENT else {
            throw StoreError(system: errno, "the file cannot be removed", path: file)
        }
    }
}

/// The identity of a file's content, since files are not changed but replaced.
package struct FileStamp: Equatable, Sendable {
    private let number: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of an open file. Nil for an empty file, and for a device, whose state tells nothing
    /// about writes.
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
