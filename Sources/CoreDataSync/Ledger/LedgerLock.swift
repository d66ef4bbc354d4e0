internal import Foundation

/// The right to sync a store, which one synchronizer of all processes has. It ends with the object, or with
/// the process.
final class LedgerLock: Sendable {
    private let descriptor: Int32

    init(at url: URL) throws {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StoreSyncError.busy(url.path)
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
