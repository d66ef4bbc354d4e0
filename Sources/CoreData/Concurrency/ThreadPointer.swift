import CRuntime

/// A thread-local pointer, nil at first.
package struct ThreadPointer: Sendable {
    let key: opencoredata_thread_key

    package init() {
        var key = opencoredata_thread_key()
        guard opencoredata_make_thread_key(&key) == 0 else {
            programmerError("the process has no thread-specific keys left, which contexts need")
        }
        self.key = key
    }

    @inline(__always)
    package var value: UnsafeRawPointer? {
        get { opencoredata_thread_value(key) }
        nonmutating set { opencoredata_set_thread_value(key, newValue) }
    }
}
