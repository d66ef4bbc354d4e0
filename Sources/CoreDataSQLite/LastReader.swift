import Foundation

/// The index of the reader that this thread used last, in any pool. The thread prefers that reader, since the
/// reader's memory is likely to be in the cache of the thread's core.
enum LastReader {
    static var index: Int {
        get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
        set { if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
    }

    /// The key of the thread's value; nil if the process has no free key.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}
