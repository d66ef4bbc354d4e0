/// A selector: which comparison a sort descriptor uses, or a method that observers and undo managers call.
///
///     NSSortDescriptor(key: "name", ascending: true, selector: .localizedStandardCompare)
///     NotificationCenter.default.addObserver(
///         self, selector: Selector("changed:", Controller.changed), name: .changed, object: nil)
///
/// Linux finds no method by its name, so a selector that is to call one holds it. The plugin writes
/// `#selector(changed(_:))` out as such a selector in targets whose sources it ports. Selectors of one name
/// are equal.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String
    let method: SelectedMethod?

    /// A name alone: there is nothing to call.
    public init(_ name: String) {
        description = name
        method = nil
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// A method without parameters.
    public init<Target: AnyObject, Result>(_ name: String, _ method: @escaping (Target) -> () -> Result) {
        description = name
        self.method = SelectedMethod { target, _ in _ = method(Self.cast(target, name))() }
    }

    /// A method with one parameter: the notification, the object of the undo, the sender.
    public init<Target: AnyObject, Argument, Result>(
        _ name: String, _ method: @escaping (Target) -> (Argument) -> Result
    ) {
        description = name
        self.method = SelectedMethod { target, argument in
            _ = method(Self.cast(target, name))(Self.cast(argument as Any, name))
        }
    }

    /// The method, or a trap that says that there is none.
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

    public static func == (left: Selector, right: Selector) -> Bool { left.description == right.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// By value; strings by their code units.
    public static let compare: Selector = "compare:"
    public static let caseInsensitiveCompare: Selector = "caseInsensitiveCompare:"
    public static let localizedCompare: Selector = "localizedCompare:"
    public static let localizedCaseInsensitiveCompare: Selector = "localizedCaseInsensitiveCompare:"
    /// As file managers sort names: `a2` before `a10`.
    public static let localizedStandardCompare: Selector = "localizedStandardCompare:"
}

/// A method of whatever target, with what it is given.
final class SelectedMethod: @unchecked Sendable {
    let call: (_ target: AnyObject, _ argument: Any?) -> Void

    init(_ call: @escaping (AnyObject, Any?) -> Void) { self.call = call }
}

/// The name of a selector: a property's, for one that `#selector(getter:)` made.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

/// A selector of a name, which holds no method to call.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
