import Foundation

/// Locks between processes, and between the threads of one, on open files and folders. A lock ends with its
/// process at the latest.
enum FileLocking {
    enum Outcome {
        case locked
        /// Somebody else has it.
        case taken
        /// The file system knows no locks: whoever works on it is alone, or takes the risk.
        case unsupported
    }

    /// Tries once.
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

    /// Whether a path still leads to what a descriptor has open.
    static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 && open.st_ino == named.st_ino
            && open.st_dev == named.st_dev
    }

    /// Waits a moment, or throws when the time is over.
    static func wait(until deadline: ContinuousClock.Instant, path: String) throws(StoreError) {
        guard ContinuousClock.now < deadline else {
            throw StoreError(.busy, "somebody else has been at work on the file for too long", path: path)
        }
        usleep(2_000)
    }
}
