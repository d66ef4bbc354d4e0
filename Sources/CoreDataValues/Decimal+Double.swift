package import Foundation

extension Decimal {
    /// A double's value; not a number for one that is infinite, which Foundation's own initializer traps on.
    package init(anyOf double: Double) {
        self = double.isFinite ? Decimal(double) : .nan
    }

    /// The number whose shortest digits a double has: what was written, where a store keeps a decimal as a double.
    package init(written double: Double) {
        let digits = double.isFinite ? Decimal(string: double.description) : nil
        self = digits ?? Decimal(anyOf: double)
    }
}

extension NSNumber {
    /// `decimalValue`, which traps on the infinite as well.
    package var anyDecimalValue: Decimal { doubleValue.isFinite ? decimalValue : .nan }
}
