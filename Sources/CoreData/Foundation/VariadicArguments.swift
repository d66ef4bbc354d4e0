#if arch(x86_64)
import CoreDataPredicates
import Foundation

/// A reader of a C argument list by the specifiers of a format, as the System V calling convention lays it
/// out: integers and pointers in 6 registers, floating-point numbers in 8 others, the rest on the stack.
struct VariadicArguments {
    private struct List {
        var wholeOffset: UInt32
        var floatOffset: UInt32
        var stack: UnsafeMutableRawPointer
        let registers: UnsafeMutableRawPointer
    }

    private static let wholeEnd: UInt32 = 6 * 8
    private static let floatEnd: UInt32 = 6 * 8 + 8 * 16

    private var list: List

    /// Returns the arguments.
    ///
    /// The list has to stay alive meanwhile, as inside `withVaList`.
    static func values(_ pointer: CVaListPointer, for format: String) throws(PredicateSyntaxError) -> [Any] {
        let start = unsafeBitCast(pointer, to: UnsafeRawPointer.self)
        var arguments = VariadicArguments(list: start.load(as: List.self))
        return try FormatLexer.specifiers(of: format).map { arguments.next($0) }
    }

    private mutating func next(_ specifier: String) -> Any {
        let isLong = specifier.contains { "lqzjt".contains($0) }
        switch specifier.last {
        case "@", "K":
            let object = UnsafeRawPointer(bitPattern: whole(UInt.self))
            return object.map { FormatArgument.value(at: $0) } ?? NSNull()
        case "s", "S":
            let text = UnsafePointer<CChar>(bitPattern: whole(UInt.self))
            return text.map { String(cString: $0) } ?? NSNull()
        case "f", "F", "e", "E", "g", "G", "a", "A": return float()
        case "u", "x", "X", "o", "U", "O", "p": return isLong ? whole(UInt.self) : UInt(whole(UInt32.self))
        default: return isLong ? whole(Int.self) : Int(whole(Int32.self))
        }
    }

    private mutating func whole<Number: BitwiseCopyable>(_ type: Number.Type) -> Number {
        guard list.wholeOffset < Self.wholeEnd else { return fromStack(type) }
        defer { list.wholeOffset += 8 }
        return list.registers.load(fromByteOffset: Int(list.wholeOffset), as: type)
    }

    private mutating func float() -> Double {
        guard list.floatOffset < Self.floatEnd else { return fromStack(Double.self) }
        defer { list.floatOffset += 16 }
        return list.registers.load(fromByteOffset: Int(list.floatOffset), as: Double.self)
    }

    private mutating func fromStack<Number: BitwiseCopyable>(_ type: Number.Type) -> Number {
        defer { list.stack += 8 }
        return list.stack.load(as: type)
    }
}
#endif
