import CRuntime
import Synchronization

/// A reference that does not keep its object alive, as a weak one, and leaves the object's reference counts
/// where they are: from the first weak reference of Swift's own on, every retain and release of an object
/// takes several times as long, which contexts, entities and stores would feel on every path.
///
/// The link keeps the memory of its object, which is little, until the last holder of the link is gone, too.
/// So whoever follows it may ask the object itself whether it lives, on any thread and without a lock:
/// threads that work with one store ask for it all the time.
final class Backlink<Target: AnyObject>: Sendable {
    private let address = Atomic<UInt>(0)

    deinit {
        // Counted by hand: whoever looks into objects, as debuggers do, reads properties that are unowned
        // references.
        if let object { opencoredata_release_memory(object) }
    }

    private var object: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) }

    /// Nil before the link leads anywhere, and from the moment its object is dying.
    var target: Target? {
        guard let object, opencoredata_try_retain(object) != nil else { return nil }
        return Unmanaged<Target>.fromOpaque(object).takeRetainedValue()
    }

    /// To be called once, before others can have the link.
    func lead(to target: Target) {
        let object = Unmanaged.passUnretained(target).toOpaque()
        opencoredata_keep_memory(object)
        address.store(UInt(bitPattern: object), ordering: .releasing)
    }
}
