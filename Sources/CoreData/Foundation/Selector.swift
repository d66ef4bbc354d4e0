/// The name of the comparison that a sort descriptor uses, or of a method that observers and undo managers
/// call.
///
///     NSSortDescriptor(key: "name", ascending: true, selector: .localizedStandardCompare)
///     NotificationCenter.default.addObserver(
///         self, selector: Selector("changed:", Controller.changed), name: .changed, object: nil)
///
/// Selectors with the same name are equal.
///
/// Unlike Apple's: Linux finds no method by its name, so a selector that is called holds its method, which
/// has at most one parameter. In targets whose sources it ports, the plugin replaces `#selector(changed(_:))`
/// by such a selector.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String
    let method: SelectedMethod?

    /// Makes a selector of a name alone, which has nothing to call: good for sort descriptors.
    public init(_ name: String) {
        description = name
        method = nil
    }

    /// Makes a selector of a name alone, which has nothing to call.
    public init(stringLiteral value: String) { self.init(value) }

    /// Makes a selector that calls a method without parameters.
    ///
    /// Calling it on an object of another class traps.
    public init<Target: AnyObject, Result>(_ name: String, _ method: @escaping (Target) -> () -> Result) {
        description = name
        self.method = SelectedMethod { target, _ in _ = method(Self.cast(target, name))() }
    }

    /// Makes a selector that calls a method with one parameter: the notification, the object of the undo, the
    /// sender.
    ///
    /// Calling it with an object or an argument of another type traps.
    public init<Target: AnyObject, Argument, Result>(
        _ name: String, _ method: @escaping (Target) -> (Argument) -> Result
    ) {
        description = name
        self.method = SelectedMethod { target, argument in
            _ = method(Self.cast(target, name))(Self.cast(argument as Any, name))
        }
    }

    /// Returns the method, or traps with a message that there is none.
    func requiredMethod(_ caller: StaticString) -> SelectedMethod {
        guard let method else {
            programmerError(
                "\(caller): the selector \(description) holds no method to call: make it with one, "
                    + "Selector(\"\(description)\", Target.method).")
        }
        return method
    }

    private static func cast<Value>(_ value: Any, _ name: String) -> Value {
        guard let cast = value as? Value else {
            programmerError("The selector \(name) takes \(Value.self), not \(type(of: value)).")
        }
        return cast
    }

    /// Returns whether two selectors have the same name.
    public static func == (left: Selector, right: Selector) -> Bool { left.description == right.description }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Compares by value; strings by their code units.
    public static let compare: Selector = "compare:"
    /// Compares strings regardless of case.
    public static let caseInsensitiveCompare: Selector = "caseInsensitiveCompare:"
    /// Compares strings by the rules of the current locale.
    public static let localizedCompare: Selector = "localizedCompare:"
    /// Compares strings by the rules of the current locale, regardless of case.
    public static let localizedCaseInsensitiveCompare: Selector = "localizedCaseInsensitiveCompare:"
    /// Compares strings as file managers sort names: `a2` before `a10`.
    public static let localizedStandardCompare: Selector = "localizedStandardCompare:"
}

/// A method of some object that is called with at most one argument.
final class SelectedMethod: @unchecked Sendable {
    let call: (_ target: AnyObject, _ argument: Any?) -> Void

    init(_ call: @escaping (AnyObject, Any?) -> Void) { self.call = call }
}

/// Returns the name of a selector: a property's, for one that `#selector(getter:)` made.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

/// Returns a selector of a name, which holds no method to call.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
