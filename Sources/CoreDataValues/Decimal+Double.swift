package import Foundation

extension Decimal {
    /// A double's value; not a number for one that is infinite, which Foundation's own initializer traps on.
    package init(anyOf double: Double) {
        self = double.isFinite ? Decimal(double) : .nan
    }

    /// The number whose shortest digits a double has: what was written, where a store keeps a decimal as a double.
    package init(written double: Double) {
        if let short = Decimal(short: double) {
            self = short
        } else {
            let digits = double.isFinite ? Decimal(string: double.description) : nil
            self = digits ?? Decimal(anyOf: double)
        }
    }

    /// The same without the digits being spelled, where few of them are behind the point.
    private init?(short double: Double) {
        for (places, power) in Self.powers.prefix(5).enumerated() {
            let digits = (double * power).rounded()
            // Of so few digits no other number is the same double.
            guard digits.magnitude < Self.exactDigits else { return nil }
            if digits / power == double {
                self.init(
                    sign: digits < 0 ? .minus : .plus, exponent: -places,
                    significand: Decimal(Int(digits.magnitude)))
                return
            }
        }
        return nil
    }

    /// The double that is next to the number, as which its digits are read; nil if that takes more than a step to tell.
    package var nearestDouble: Double? {
        let exponent = exponent
        guard !isNaN, Self.powers.indices.contains(abs(exponent)) else { return nil }
        let digits = NSDecimalNumber(decimal: significand).doubleValue.magnitude
        let power = Self.powers[abs(exponent)]
        // Where number and power are exact, what comes of them is rounded once.
        let result = exponent < 0 ? digits / power : digits * power
        guard max(digits, exponent < 0 ? 0 : result) < Self.exactDigits else { return nil }
        return isSignMinus ? -result : result
    }

    /// What has no more digits than any double tells apart.
    private static let exactDigits = 1e15

    /// Those of ten that are doubles.
    private static let powers: [Double] = (0...22).map { pow(10, Double($0)) }
}

extension NSNumber {
    /// `decimalValue`, which traps on the infinite as well.
    package var anyDecimalValue: Decimal { doubleValue.isFinite ? decimalValue : .nan }
}
