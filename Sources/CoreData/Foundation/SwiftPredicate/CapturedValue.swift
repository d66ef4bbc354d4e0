import CoreDataPredicates
import CoreDataValues
import Foundation
import Synchronization

extension Meaning {
    /// Makes the meaning of a value that a predicate captured.
    init(capturing value: Any) {
        if let optional = value as? any OptionalType {
            self = optional.content.map(Meaning.init(capturing:)) ?? .nil
        } else if let bounds = (value as? any CapturedRange)?.bounds {
            self.init(.range(bounds))
        } else if let node = value as? PredicateExpressions.PredicateRegex {
            self.init(.constant(.value(.string(node.stringRepresentation))))
        } else {
            self.init(constant: ExpressionValue(capturing: value))
        }
    }

    init(constant value: ExpressionValue) {
        switch value {
        case .value(.null): self = .nil
        case .value(.boolean(let flag)): self.init(PredicateNode.constant(flag))
        default: self.init(ExpressionNode.constant(value))
        }
    }
}

extension ExpressionValue {
    /// Makes the value of any captured constant, as `init(boxing:)` does; an enumeration stands for its raw
    /// value.
    init(capturing value: Any) {
        self = ExpressionValue(boxing: value).raw
    }

    private var raw: ExpressionValue {
        switch self {
        case .opaque:
            if let value = unboxed as? any ConstantStandIn { return ExpressionValue(boxing: value.constant) }
            if let value = unboxed as? any RawRepresentable {
                return ExpressionValue(capturing: value.rawValue)
            }
            return self
        case .collection(let elements, let isOrdered):
            return .collection(elements.map(\.raw), isOrdered: isOrdered)
        case .value, .object: return self
        }
    }
}

/// The form in which the code of another product stores values that no attribute holds as they are.
package enum StoredForms {
    /// A function that returns the form of a value; nil for one that cannot be stored.
    package typealias Form = @Sendable (Any) -> Any?

    private static let form = Mutex<Form?>(nil)

    /// Sets the function that is asked for values that predicates compare with attributes.
    package static func use(_ function: @escaping Form) { form.withLock { $0 = function } }

    fileprivate static func form(of value: Any) -> Any? { form.withLock { $0 }?(value) }
}

extension ExpressionValue {
    /// The value with what no attribute holds in the form in which it is stored, if it has one.
    var stored: ExpressionValue {
        switch self {
        case .opaque:
            return unboxed.flatMap(StoredForms.form).map(ExpressionValue.init(boxing:)) ?? self
        case .collection(let elements, let isOrdered):
            return .collection(elements.map(\.stored), isOrdered: isOrdered)
        case .value, .object: return self
        }
    }
}

/// A value of another product that stands for one of this framework in predicates.
package protocol ConstantStandIn {
    var constant: NSObject { get }
}

/// A value by which the code of another product names a managed object.
package protocol ObjectStandIn: ConstantStandIn {
    var objectID: NSManagedObjectID { get }
}

extension ObjectStandIn {
    package var constant: NSObject { objectID }
}

/// An optional of any kind.
package protocol OptionalType {
    static var wrappedType: Any.Type { get }
    /// The value as `Any`; nil for none.
    var content: Any? { get }
}

extension Optional: OptionalType {
    package static var wrappedType: Any.Type { Wrapped.self }
    package var content: Any? { map { $0 as Any } }
}

/// A range of any kind.
private protocol CapturedRange {
    var bounds: RangeBounds { get }
}

extension CapturedRange {
    fileprivate func bounds<Bound>(_ lower: Bound?, _ upper: Bound?, includesUpper: Bool) -> RangeBounds {
        RangeBounds(
            lower: lower.map { .constant(ExpressionValue(capturing: $0)) },
            upper: upper.map { .constant(ExpressionValue(capturing: $0)) }, includesUpper: includesUpper)
    }
}

extension Range: CapturedRange {
    fileprivate var bounds: RangeBounds { bounds(lowerBound, upperBound, includesUpper: false) }
}

extension ClosedRange: CapturedRange {
    fileprivate var bounds: RangeBounds { bounds(lowerBound, upperBound, includesUpper: true) }
}

extension PartialRangeFrom: CapturedRange {
    fileprivate var bounds: RangeBounds { bounds(lowerBound, nil, includesUpper: false) }
}

extension PartialRangeThrough: CapturedRange {
    fileprivate var bounds: RangeBounds { bounds(nil, upperBound, includesUpper: true) }
}

extension PartialRangeUpTo: CapturedRange {
    fileprivate var bounds: RangeBounds { bounds(nil, upperBound, includesUpper: false) }
}
