import Synchronization

/// A counter that grows with every commit of this process, to any store, and with every call of
/// `expireReads`. A read transaction that began at a lower number may be outdated.
enum CommitClock {
    private static let count = Atomic<Int>(0)

    static var now: Int { count.load(ordering: .acquiring) }
    static func tick() { count.add(1, ordering: .releasing) }
}
