/// A pointer to an object that a validation method may replace.
///
/// Linux has no autoreleased references; this stands for the type that Apple's signatures name.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private final class Value {
        var value: Pointee
        init(_ value: Pointee) { self.value = value }
    }

    private let pointer: UnsafeMutablePointer<Pointee>
    private let known: Value?

    public init(_ pointer: UnsafeMutablePointer<Pointee>) {
        self.pointer = pointer
        known = nil
    }

    /// To a variable of another class than the signature names: `AutoreleasingUnsafeMutablePointer(&object)`.
    ///
    /// What it has is read at once, as code that relies on autoreleased references reads it when the variable
    /// is gone.
    public init<Other>(_ pointer: UnsafeMutablePointer<Other>) {
        self.pointer = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Pointee.self)
        known = Value(self.pointer.pointee)
    }

    public var pointee: Pointee {
        get { known.map(\.value) ?? pointer.pointee }
        nonmutating set {
            known?.value = newValue
            pointer.pointee = newValue
        }
    }
}

/// How a set changed, in change notifications by key.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}

/// Runs the closure: Linux has no autorelease pools to drain.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
