import CoreDataPredicates
import CoreDataValues
import Foundation

/// Arguments of formats as expressions.
enum FormatArgument {
    static func node(_ value: Any) -> ExpressionNode {
        switch value {
        case let expression as NSExpression: expression.node
        case let entity as NSEntityDescription: .constant(.value(.string(entity.name ?? "")))
        default: .constant(ExpressionValue(boxing: unwrapped(value)))
        }
    }

    /// What a variadic argument stands for.
    static func value(_ argument: any CVarArg) -> Any { argument }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first?.value
    }
}

/// Property names behind key paths.
enum KeyPathNames {
    static func name(of keyPath: AnyKeyPath) -> String {
        if let name = ManagedClasses.name(of: keyPath) { return name }
        let text = "\(keyPath)"
        if text.hasPrefix("\\"), let dot = text.firstIndex(of: "."), !text.contains("computed") {
            return String(text[text.index(after: dot)...]).replacingOccurrences(of: "?", with: "")
        }
        programmerError(
            "The key path \(text) has no known property name: apply the plugin to the target that declares the "
                + "property, or use a string key.")
    }
}

// Anything may be an argument of `%@`: only the value itself is used, never its C encoding.

extension NSObject: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [unsafeBitCast(Unmanaged.passUnretained(self), to: Int.self)] }
}

/// A value of Swift's own that may be an argument of `%@`.
public protocol PredicateArgument: CVarArg {}

extension PredicateArgument {
    public var _cVarArgEncoding: [Int] { [0] }
}

extension Array: @retroactive CVarArg, PredicateArgument {}
extension Set: @retroactive CVarArg, PredicateArgument {}
extension Dictionary: @retroactive CVarArg, PredicateArgument {}
extension Date: @retroactive CVarArg, PredicateArgument {}
extension UUID: @retroactive CVarArg, PredicateArgument {}
extension URL: @retroactive CVarArg, PredicateArgument {}
extension Data: @retroactive CVarArg, PredicateArgument {}
extension Decimal: @retroactive CVarArg, PredicateArgument {}
