import CRuntime
import Synchronization

/// A reference that does not keep its object alive, as a weak one, and leaves the object's reference counts where they
/// are: from the first weak reference of Swift's own on, every retain and release of an object takes several times as
/// long, which contexts, entities and stores would feel on every path.
///
/// The link keeps the memory of its object, which is little, until the last holder of the link is gone, too. So whoever
/// follows it may ask the object itself whether it lives, on any thread and without a lock: threads that work with
/// one store ask for it all the time.
final class Backlink<Target: AnyObject>: Sendable {
    private let address = Atomic<UInt>(0)
    /// Never read: an unowned reference is what keeps the memory.
    nonisolated(unsafe) private unowned var memory: Target?

    /// Nil before the link leads anywhere, and from the moment its object is dying.
    var target: Target? {
        guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)),
            opencoredata_try_retain(pointer) != nil
        else { return nil }
        return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
    }

    /// To be called once, before others can have the link.
    func lead(to target: Target) {
        memory = target
        address.store(UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque()), ordering: .releasing)
    }
}
