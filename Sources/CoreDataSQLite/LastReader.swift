import Foundation

/// The index of the reader that this thread used last, in whichever pool. The thread prefers that reader,
/// since the cache of its core is likely to have the reader's memory.
enum LastReader {
    static var index: Int {
        get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
        set { if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
    }

    /// The key of the thread's value; nil if the process has no more such keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}
