import Synchronization

/// The reads of objects without a context that a block does, in their order.
///
/// It answers which property a key path leads to, by what the getter behind the key path asks for.
package final class ReadRecorder: Sendable {
    /// One read.
    package struct Read: Sendable {
        package let object: ObjectIdentifier
        package let key: String
    }

    @TaskLocal static var current: ReadRecorder?

    private let reads = Mutex<[Read]>([])

    func note(_ key: String, of object: NSManagedObject) {
        reads.withLock { $0.append(Read(object: ObjectIdentifier(object), key: key)) }
    }

    /// Returns the reads of a block, of objects that `trackReads` was called for.
    package static func reads(of block: () -> Void) -> [Read] {
        let recorder = ReadRecorder()
        $current.withValue(recorder, operation: block)
        return recorder.reads.withLock { $0 }
    }
}
