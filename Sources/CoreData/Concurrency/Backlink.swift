import CRuntime
import Synchronization

/// A reference that does not keep its object alive, as a weak one, and leaves the object's reference counts
/// where they are.
///
/// From the first weak reference of Swift's own on, every retain and release of an object takes several times
/// as long, which contexts, entities and stores would feel on every path.
///
/// The link keeps the memory of its object, which is little, until the last holder of the link is gone, too.
/// A follower may therefore ask the object itself whether it lives, on any thread and without a lock: threads
/// that work with one store ask for it all the time.
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

    /// Leads the link to its object; called once, before others can have the link.
    func lead(to target: Target) {
        let object = Unmanaged.passUnretained(target).toOpaque()
        opencoredata_keep_memory(object)
        address.store(UInt(bitPattern: object), ordering: .releasing)
    }
}
