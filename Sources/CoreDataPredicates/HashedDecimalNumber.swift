package import Foundation

/// A decimal number that sets and dictionaries can hold: on Linux, computing the hash of a Foundation one
/// never ends and crashes the program. It is equal to any number of the same value.
package final class HashedDecimalNumber: NSDecimalNumber, @unchecked Sendable {
    package override init(decimal: Decimal) { super.init(decimal: decimal) }

    package required init?(coder: NSCoder) { super.init(coder: coder) }

    package required convenience init(floatLiteral value: Double) { self.init(decimal: Decimal(value)) }

    package required convenience init(booleanLiteral value: Bool) { self.init(decimal: value ? 1 : 0) }

    package required convenience init(integerLiteral value: Int) { self.init(decimal: Decimal(value)) }

    package required convenience init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        self.init(decimal: NSNumber(bytes: buffer, objCType: type).decimalValue)
    }

    package override var hash: Int { NSNumber(value: doubleValue).hash }
}
