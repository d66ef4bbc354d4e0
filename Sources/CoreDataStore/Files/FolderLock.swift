import Foundation
import Synchronization

/// A lock on a folder that a thread holds during a longer operation on its files. It keeps out only threads
/// and processes that take it, too. The thread that holds it may take it again.
package final class FolderLock {
    private struct Holder: Hashable {
        let thread: UInt
        let device: UInt64
        let number: UInt64
    }

    private static let depths = Mutex<[Holder: Int]>([:])

    private let holder: Holder
    private let descriptor: Int32

    /// Waits until no other thread or process has the lock, and takes it.
    package init(_ folder: String, timeout: Double) throws(StoreError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(system: errno, "the folder cannot be opened", path: folder)
        }
        var state = stat()
        fstat(descriptor, &state)
        holder = Holder(
            thread: UInt(pthread_self()), device: UInt64(state.st_dev), number: UInt64(state.st_ino))
        let isHeld = Self.depths.withLock { depths in
            guard let depth = depths[holder] else { return false }
            depths[holder] = depth + 1
            return true
        }
        if isHeld { return }
        let deadline = ContinuousClock.now + .seconds(timeout)
        while try FileLocking.lock(descriptor, path: folder) == .taken {
            try FileLocking.wait(until: deadline, path: folder)
        }
        Self.depths.withLock { $0[holder] = 1 }
    }

    deinit {
        Self.depths.withLock { depths in
            let depth = (depths[holder] ?? 1) - 1
            depths[holder] = depth > 0 ? depth : nil
        }
        _ = close(descriptor)
    }
}
