public import Foundation

/// Array literals for sets of Foundation, as on Apple's systems.
public protocol SetArrayLiteral {}

extension NSSet: SetArrayLiteral {}

extension SetArrayLiteral {
    public init(arrayLiteral elements: Any...) {
        switch Self.self {
        case is NSMutableSet.Type: self = NSMutableSet(array: elements) as! Self
        default: self = NSSet(array: elements) as! Self
        }
    }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
