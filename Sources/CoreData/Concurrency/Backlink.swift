import CRuntime
import Synchronization

/// A reference that does not keep its object alive, as a weak one, and leaves the object's reference counts where they
/// are: from the first weak reference of Swift's own on, every retain and release of an object takes several times as
/// long, which contexts, entities and stores would feel on every path.
///
/// Belongs to the object it leads to, which ends it when it dies; others keep the link. May be used on any thread.
final class Backlink<Target: AnyObject>: Sendable {
    private let address = Mutex<UInt>(0)

    /// Nil before the link leads anywhere, and from the moment its object is dying.
    var target: Target? {
        address.withLock { address in
            // While the lock is held a dying object cannot go further than `end`.
            guard let pointer = UnsafeRawPointer(bitPattern: address),
                opencoredata_try_retain(pointer) != nil
            else { return nil }
            return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
        }
    }

    func lead(to target: Target) {
        let pointer = UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque())
        address.withLock { $0 = pointer }
    }

    /// To be called by the object's `deinit`.
    func end() { address.withLock { $0 = 0 } }
}
