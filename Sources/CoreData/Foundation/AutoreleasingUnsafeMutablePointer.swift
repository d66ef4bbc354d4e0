/// A pointer to an object that a validation method may replace.
///
/// Unlike Apple's: a type of this module, so that `validateValue` overrides compile, since Linux has no
/// autoreleased references.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private final class Value {
        var value: Pointee
        init(_ value: Pointee) { self.value = value }
    }

    private let pointer: UnsafeMutablePointer<Pointee>
    private let known: Value?

    /// Makes a pointer to a variable, which has to outlive it.
    public init(_ pointer: UnsafeMutablePointer<Pointee>) {
        self.pointer = pointer
        known = nil
    }

    /// Makes a pointer to a variable of another class than the signature names:
    /// `AutoreleasingUnsafeMutablePointer(&object)`.
    ///
    /// The value is read at once, since code that relies on autoreleased references reads it when the
    /// variable is gone.
    public init<Other>(_ pointer: UnsafeMutablePointer<Other>) {
        self.pointer = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Pointee.self)
        known = Value(self.pointer.pointee)
    }

    /// The object; setting it replaces the variable's.
    public var pointee: Pointee {
        get { known.map(\.value) ?? pointer.pointee }
        nonmutating set {
            known?.value = newValue
            pointer.pointee = newValue
        }
    }
}

/// The kind of change of a set, in change notifications by key.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Members were added.
    case union = 1
    /// Members were removed.
    case minus = 2
    /// Members that another set lacks were removed.
    case intersect = 3
    /// The set was replaced.
    case set = 4
}

/// Runs the closure and returns its result.
///
/// - Throws: The error that the closure throws.
///
/// Unlike Apple's: it does nothing else, since Linux has no autorelease pools to drain.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
