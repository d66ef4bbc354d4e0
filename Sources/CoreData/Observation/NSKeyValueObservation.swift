public import Foundation

/// What an observer is told of a change.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let new = NSKeyValueObservingOptions(rawValue: 1 << 0)
    public static let old = NSKeyValueObservingOptions(rawValue: 1 << 1)
    /// The handler is called at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 1 << 2)
    /// The handler is called before a change as well.
    ///
    /// Has no effect here.
    public static let prior = NSKeyValueObservingOptions(rawValue: 1 << 3)
}

/// What happened to a value.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// A change of an observed value.
///
/// Values are there if they were asked for.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange

    public let kind: Kind
    public let newValue: Value?
    public let oldValue: Value?
    public let indexes: IndexSet?
    public let isPrior: Bool
}

/// An observation, which lasts as long as this is held and `invalidate()` is not called.
public final class NSKeyValueObservation: NSObject {
    private var watcher: AnyObject?

    init(_ watcher: AnyObject) {
        self.watcher = watcher
    }

    /// Ends the observation.
    public func invalidate() { watcher = nil }
}
