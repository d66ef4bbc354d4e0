public import CoreData

/// The container that Apple's systems keep in step with CloudKit, which nothing here makes.
public class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}

// What the library takes from Core Foundation, which is no module on Linux: the time, and an observer of the main run loop
// that hears of it before the loop sleeps.

typealias CFAbsoluteTime = Double
typealias CFOptionFlags = UInt

func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

struct CFRunLoopActivity: OptionSet {
    let rawValue: CFOptionFlags
    static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
}

enum CFRunLoopMode { case commonModes }

let kCFAllocatorDefault: Never? = nil

struct CFRunLoop {}

func CFRunLoopGetMain() -> CFRunLoop { CFRunLoop() }

final class CFRunLoopObserver: @unchecked Sendable {
    fileprivate let repeats: Bool
    fileprivate let block: (CFRunLoopObserver?, CFRunLoopActivity) -> Void
    fileprivate var isValid = true

    fileprivate init(repeats: Bool, block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void) {
        self.repeats = repeats
        self.block = block
    }

    /// Nobody tells on Linux that the main queue is about to rest: what was on it a moment ago has run by then.
    fileprivate func wait() {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in
            guard isValid else { return }
            block(self, .beforeWaiting)
            if repeats { wait() }
        }
    }
}

func CFRunLoopObserverCreateWithHandler(
    _ allocator: Never?, _ activities: CFOptionFlags, _ repeats: Bool, _ order: Int,
    _ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void
) -> CFRunLoopObserver {
    CFRunLoopObserver(repeats: repeats, block: block)
}

func CFRunLoopAddObserver(_ loop: CFRunLoop, _ observer: CFRunLoopObserver, _ mode: CFRunLoopMode) {
    observer.wait()
}

func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver) { observer.isValid = false }
