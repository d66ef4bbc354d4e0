import Foundation

/// Locks on open files and folders, between processes and between the threads of one process. A lock ends
/// with its process at the latest.
enum FileLocking {
    enum Outcome {
        case locked
        /// Another thread or process has the lock.
        case taken
        /// The file system has no locks. The work goes on without a lock, at the app's risk.
        case unsupported
    }

    /// Tries once to take the lock.
    static func lock(_ descriptor: Int32, path: String) throws(StoreError) -> Outcome {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .taken
            case ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL, EBADF: return .unsupported
            case let code: throw StoreError(system: code, "the file cannot be locked", path: path)
            }
        }
        return .locked
    }

    /// Returns whether a path still leads to the file that is open.
    static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 && open.st_ino == named.st_ino
            && open.st_dev == named.st_dev
    }

    /// Waits a moment, or throws after the deadline.
    static func wait(until deadline: ContinuousClock.Instant, path: String) throws(StoreError) {
        guard ContinuousClock.now < deadline else {
            throw StoreError(.busy, "another process or thread has used the file for too long", path: path)
        }
        usleep(2_000)
    }
}
