import CRuntime
import Synchronization

/// A reference that, like a weak one, does not keep its object alive, but leaves the object's reference
/// counts inside the object.
///
/// Swift's first `weak` reference to an object moves its reference counts to a side table, and every retain
/// and release then takes several times as long. Contexts, entities and stores are retained on every path.
///
/// The link keeps the memory of its object, which is little, until the last holder of the link is gone, too.
/// Any thread may therefore ask the object itself, without a lock, whether it is still alive, as threads that
/// use the same store do all the time.
final class Backlink<Target: AnyObject>: Sendable {
    private let address = Atomic<UInt>(0)

    deinit {
        // Counted by hand: debuggers look into objects and would read a property that is an unowned
        // reference.
        if let object { opencoredata_release_memory(object) }
    }

    private var object: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) }

    /// The object; nil before the link leads anywhere, and from the moment when its object is dying.
    var target: Target? {
        guard let object, opencoredata_try_retain(object) != nil else { return nil }
        return Unmanaged<Target>.fromOpaque(object).takeRetainedValue()
    }

    /// Sets the object of the link; called once, before other code can have the link.
    func lead(to target: Target) {
        let object = Unmanaged.passUnretained(target).toOpaque()
        opencoredata_keep_memory(object)
        address.store(UInt(bitPattern: object), ordering: .releasing)
    }
}
