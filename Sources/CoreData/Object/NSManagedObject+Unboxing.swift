import Foundation

extension NSManagedObject {
    /// The object that a value of any type is; nil for any other, and for one in an optional that was boxed.
    ///
    /// What a cast of the value itself does, in a tenth of its time: that copies the value, and looks up what its type
    /// might become. Predicates and sets ask this of every object they are about.
    static func unboxed(_ value: Any?) -> NSManagedObject? {
        let box = unsafeBitCast(value, to: Box.self)
        guard let type = box.type, unsafeBitCast(type, to: Any.Type.self) is NSObject.Type,
            let reference = box.content.0,
            Unmanaged<NSObject>.fromOpaque(reference)._withUnsafeGuaranteedRef({ $0 is NSManagedObject })
        else { return nil }
        return Unmanaged.fromOpaque(reference).takeUnretainedValue()
    }

    /// How a value of any type lies in memory: itself, if three words hold it, and its type. Of an object that is the
    /// class that it was handed over as.
    private struct Box {
        let content: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?)
        let type: UnsafeRawPointer?
    }
}
