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
                OpenDatabase.close(descriptor)
                throw error
            }
            // What lies there may be another file by now.
            if outcome != .taken, FileLocking.isAt(path, descriptor) {
                (self.descriptor, isMade) = (descriptor, made >= 0)
                return
            }
            OpenDatabase.close(descriptor)
            try FileLocking.wait(until: deadline, path: path)
        }
    }

    deinit { OpenDatabase.close(descriptor) }

    /// Does something about the file, if a condition is met; what was made to be locked does not outlast a
    /// failure.
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

    /// Puts a finished file that lies beside it in the place of whatever is at a path, and makes sure of
    /// that. The file is given the permissions of what was there.
    ///
    /// - Parameters:
    ///   - companions: the paths of files that belonged to what was there, which are removed.
    ///   - condition: is asked about what is there, when nobody else can put anything in its place.
    /// - Returns: Whether the condition was met. If an error is thrown, the file may have taken its place all
    ///   the same, without being sure to survive a crash of the machine.
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

    /// Removes what is at a path, if anything is.
    ///
    /// - Parameters:
    ///   - companions: the paths of files that belong to it, which are removed, too.
    ///   - condition: is asked about what is there, when nobody else can put anything in its place.
    /// - Returns: Whether the condition was met, or nothing is there.
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

    /// Has a body find out what is at a path and change that, again and again while others put something else
    /// there in between.
    ///
    /// - Parameter body: is told what is there, for a condition, and returns whether it was met. Throws an
    ///   error of kind `overtaken` where it notices by itself that it was not.
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
