public import Foundation

/// The options of an observation: which values the handler is given, and when it is called.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// Apple's bits for the options.
    public let rawValue: UInt
    /// Makes options from Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The change has the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1 << 0)
    /// The change has the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 1 << 1)
    /// The handler is also called at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 1 << 2)
    /// Has no effect, unlike Apple's, where the handler is also called before a change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 1 << 3)
}

/// The kind of a change.
///
/// Observations here report settings only; Foundation's kinds for collections are not used.
public enum NSKeyValueChange: UInt, Sendable {
    /// The value was set.
    case setting = 1
    /// Members were added. Not used here.
    case insertion = 2
    /// Members were removed. Not used here.
    case removal = 3
    /// Members were replaced. Not used here.
    case replacement = 4
}

/// A change of an observed value.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of a change.
    public typealias Kind = NSKeyValueChange

    /// The kind of the change: always `.setting` here.
    public let kind: Kind
    /// The new value; nil unless `.new` is among the options.
    public let newValue: Value?
    /// The old value; nil unless `.old` is among the options, and in the initial call.
    public let oldValue: Value?
    /// The positions of changed members: always nil here.
    public let indexes: IndexSet?
    /// Whether the change is yet to come: always false here.
    public let isPrior: Bool
}

/// The token of an observation, which ends when the token is freed or invalidated.
public final class NSKeyValueObservation: NSObject {
    private var watcher: AnyObject?

    init(_ watcher: AnyObject) {
        self.watcher = watcher
    }

    /// Ends the observation.
    public func invalidate() { watcher = nil }
}
