/// A pointer to an object that a validation method may replace. Linux has no autoreleased references; this stands for
/// the type that Apple's signatures name.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private let pointer: UnsafeMutablePointer<Pointee>

    public init(_ pointer: UnsafeMutablePointer<Pointee>) {
        self.pointer = pointer
    }

    public var pointee: Pointee {
        get { pointer.pointee }
        nonmutating set { pointer.pointee = newValue }
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
