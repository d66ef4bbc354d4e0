import CoreDataPredicates
import CoreDataValues
import Foundation

/// The conversion of a format's arguments into expressions.
///
/// A variadic call keeps its arguments as Swift values, so `%@` receives the value itself and no C encoding
/// is made. Only a `CVaListPointer` goes through C: there an object travels as its pointer and any other
/// value in a box, and the list that `withVaList` makes keeps both alive while its closure runs.
enum FormatArgument {
    static func node(_ value: Any) -> ExpressionNode {
        if let plain = AttributeValue(plain: value) { return .constant(.value(plain)) }
        return switch value {
        // Casts to classes are for objects alone: they would make an object of a Swift array.
        case _ where type(of: value) is AnyClass: node(object: value as AnyObject)
        // C strings, the arguments of `%s`.
        case let text as UnsafePointer<CChar>: .constant(.value(.string(String(cString: text))))
        case let text as UnsafeMutablePointer<CChar>: .constant(.value(.string(String(cString: text))))
        default: .constant(ExpressionValue(boxing: value))
        }
    }

    private static func node(object: AnyObject) -> ExpressionNode {
        switch object {
        case let expression as NSExpression: expression.node
        case let entity as NSEntityDescription: .constant(.value(.string(entity.name ?? "")))
        default: .constant(ExpressionValue(boxing: object))
        }
    }

    /// Returns the argument that an object's pointer in a C argument list stands for.
    static func value(at pointer: UnsafeRawPointer) -> Any {
        let object = Unmanaged<NSObject>.fromOpaque(pointer).takeUnretainedValue()
        return (object as? ArgumentBox)?.value ?? object
    }
}

/// An object that carries any other value through a C argument list.
final class ArgumentBox: NSObject {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }
}

// Conformances that let any value be an argument of `%@`.

extension NSObject: @retroactive CVarArg {
    /// The object's pointer, as C argument lists hold it.
    ///
    /// Only Swift's variadic calls use it.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

/// A Swift value that may be an argument of `%@`.
public protocol PredicateArgument: _CVarArgObject {}

extension PredicateArgument {
    /// The value in a box.
    ///
    /// Only Swift's variadic calls use it.
    public var _cVarArgObject: any CVarArg { ArgumentBox(self) }

    /// Traps: a C argument list takes the value as an object, which `withVaList` makes of it.
    public var _cVarArgEncoding: [Int] {
        programmerError("\(Self.self) goes into a C argument list as an object: use withVaList")
    }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, PredicateArgument {}
