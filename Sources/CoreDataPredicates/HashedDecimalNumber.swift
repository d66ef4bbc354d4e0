package import Foundation

/// A decimal number for use in sets and dictionaries. On Linux, computing the hash of a Foundation decimal
/// number recurses endlessly and crashes the program. It is equal to any number with the same value.
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
