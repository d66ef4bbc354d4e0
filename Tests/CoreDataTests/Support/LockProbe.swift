import Foundation

/// Tells whether a POSIX lock is held on a file, by this process or another.
///
/// It asks for an open file description of its own, which conflicts with the process's own locks, too: the
/// kernel's list of locks, `/proc/locks`, is read in parts and can lack some while others come and go.
/// Closing the file would release the process's locks on it, so a probe must live as long as the store that
/// it watches.
final class LockProbe {
    private let file: FileHandle

    /// `F_OFD_GETLK` of `fcntl.h`, which the C library declares for GNU sources only.
    private static let getLock: CInt = 36

    init(_ url: URL) throws {
        file = try FileHandle(forUpdating: url)
    }

    func isHeld() throws -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard fcntl(file.fileDescriptor, Self.getLock, &lock) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        return lock.l_type != F_UNLCK
    }
}
