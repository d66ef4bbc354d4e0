package import Foundation

extension Decimal {
    /// Makes the decimal number of a double, or NaN for infinity, on which Foundation's own
    /// initializer traps.
    package init(anyOf double: Double) {
        self = double.isFinite ? Decimal(double) : .nan
    }

    /// Makes the number that the shortest digits of a double spell. In a store that keeps decimals as
    /// doubles, this is the number that was written.
    package init(written double: Double) {
        if let short = Decimal(short: double) {
            self = short
        } else {
            let digits = double.isFinite ? Decimal(string: double.description) : nil
            self = digits ?? Decimal(anyOf: double)
        }
    }

    /// Makes the number that the shortest digits spell, without spelling them; nil if there are more than
    /// four decimal places or too many digits.
    private init?(short double: Double) {
        for (places, power) in Self.powers.prefix(5).enumerated() {
            let digits = (double * power).rounded()
            // With so few digits, no other number has this double.
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

    /// The double nearest to the number, as reading its digits gives it; nil if one multiplication or
    /// division does not suffice to compute it.
    package var nearestDouble: Double? {
        let exponent = exponent
        guard !isNaN, Self.powers.indices.contains(abs(exponent)) else { return nil }
        let digits = NSDecimalNumber(decimal: significand).doubleValue.magnitude
        let power = Self.powers[abs(exponent)]
        // Digits and power are exact, so the result is rounded once.
        let result = exponent < 0 ? digits / power : digits * power
        guard max(digits, exponent < 0 ? 0 : result) < Self.exactDigits else { return nil }
        return isSignMinus ? -result : result
    }

    /// The bound below which whole numbers have at most 15 digits, which doubles always tell apart.
    private static let exactDigits = 1e15

    /// The powers of ten that doubles represent exactly.
    private static let powers: [Double] = (0...22).map { pow(10, Double($0)) }
}

extension NSNumber {
    /// The decimal number; NaN for infinity, on which `decimalValue` traps.
    package var anyDecimalValue: Decimal { doubleValue.isFinite ? decimalValue : .nan }
}
