import Glibc

/// Replaces `Synchronization.Mutex` under Thread Sanitizer, which follows this lock but not the other one,
/// whose waiting happens inside a library that is not instrumented.
struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private final class Storage {
        let lock: UnsafeMutablePointer<pthread_mutex_t>
        var value: Value

        init(_ value: Value) {
            lock = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            self.value = value
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }

    private let storage: Storage

    init(_ initialValue: consuming sending Value) {
        storage = Storage(initialValue)
    }

    borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.lock)
        defer { pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value)
    }

    borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(storage.lock) == 0 else { return nil }
        defer { pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value)
    }
}
