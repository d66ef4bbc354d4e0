import CRuntime

/// A link like `Backlink` that is part of the object that has it, and may be led elsewhere.
///
/// Used on the queue of its object's context only; its object may die on any thread.
package struct InlineBacklink: ~Copyable {
    private var address: UnsafeRawPointer?

    package init() {}

    deinit {
        if let address { opencoredata_release_memory(address) }
    }

    /// The object to which the link leads; nil before it leads anywhere, and from the moment when its object
    /// is dying.
    @inline(__always)
    package var target: AnyObject? {
        guard let address, opencoredata_try_retain(address) != nil else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()
    }

    /// Leads to another object, whose memory stays until the link leads elsewhere or is gone.
    package mutating func lead(to target: AnyObject) {
        let former = address
        let new = UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque())
        opencoredata_keep_memory(new)
        address = new
        if let former { opencoredata_release_memory(former) }
    }
}
