import Foundation

/// The index of the reader, of whatever pool, that this thread read with last. It comes back to it, whose memory its
/// core is likely to have at hand.
enum LastReader {
    static var index: Int {
        get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
        set { if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
    }

    /// Nil where the process has no more of them.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}
