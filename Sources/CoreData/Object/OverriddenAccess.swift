/// A test whether a class overrides `value(forKey:)` or `value(forKeyPath:)`, for which Swift has no
/// function.
///
/// The metadata of a class begins with a few words about the class, followed by a table of methods for each
/// of its ancestors and itself. A subclass has its own methods in the entries that it overrides. Comparing a
/// class that overrides these two with one that overrides nothing shows which entries these are.
enum OverriddenAccess {
    private final class Overriding: NSManagedObject {
        override func value(forKey key: String) -> Any? { [key] }
        override func value(forKeyPath keyPath: String) -> Any? { [keyPath, keyPath] }
    }

    private final class Plain: NSManagedObject {}

    static func isFound(in type: NSManagedObject.Type) -> Bool {
        type != NSManagedObject.self
            && entries.contains { words(of: type)[$0] != words(of: NSManagedObject.self)[$0] }
    }

    private static let entries: [Int] = {
        let (standard, plain) = (words(of: NSManagedObject.self), words(of: Plain.self))
        let overriding = words(of: Overriding.self)
        return (firstEntry..<wordCount(of: NSManagedObject.self)).filter { entry in
            plain[entry] == standard[entry] && overriding[entry] != standard[entry]
        }
    }()

    private static func words(of type: AnyClass) -> UnsafePointer<UInt> {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    }

    /// The number of words before the tables of methods: kind, superclass, four words about instances and the
    /// class, its description, and the destructor of stored properties.
    private static let firstEntry = 7

    /// Returns the number of words that follow the address of a class: the size of its metadata less the
    /// bytes before the address.
    private static func wordCount(of type: AnyClass) -> Int {
        let sizes = UnsafeRawPointer(words(of: type)) + 4 * MemoryLayout<UInt>.stride
        let size = sizes.load(as: UInt32.self)
        let front = sizes.load(fromByteOffset: 4, as: UInt32.self)
        return Int(size - front) / MemoryLayout<UInt>.stride
    }
}
