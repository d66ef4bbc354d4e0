public import Foundation

/// A protocol to which only `NSSet` conforms, and which gives it array literals, as on Apple's systems.
public protocol SetArrayLiteral {}

extension NSSet: SetArrayLiteral {}

extension SetArrayLiteral {
    /// Makes a set of the elements, which is mutable if the type is.
    public init(arrayLiteral elements: Any...) {
        switch Self.self {
        case is NSMutableSet.Type: self = NSMutableSet(array: elements) as! Self
        default: self = NSSet(array: elements) as! Self
        }
    }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
