package import Foundation

/// A decimal number by its digits: no sign before zero, no leading and no trailing zeros.
package struct CanonicalDecimal: Hashable, Comparable, Sendable {
    package let text: String
    static let mostDigits = 38

    /// Makes the number; nil for NaN.
    package init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        self.init(decimal.description)
    }

    /// Makes the number from digits with an optional sign and point; nil for another text, or one that a
    /// `Decimal` cannot hold.
    package init?(_ text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= 300,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        let whole = parts[0].drop { $0 == "0" }
        let fraction = parts.count > 1 ? Self.withoutTrailingZeros(parts[1]) : ""
        let digits = (whole + fraction).drop { $0 == "0" }
        guard Self.withoutTrailingZeros(digits).count <= Self.mostDigits, whole.count <= 128,
            fraction.count <= 127
        else { return nil }
        let sign = isNegative && !digits.isEmpty ? "-" : ""
        self.text = sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
        // A text within the limits may still be one that Foundation cannot read.
        guard Decimal(string: self.text)?.isNaN == false else { return nil }
    }

    private static func withoutTrailingZeros(_ digits: Substring) -> Substring {
        digits.last == "0" ? withoutTrailingZeros(digits.dropLast()) : digits
    }

    package var decimal: Decimal { Decimal(string: text) ?? 0 }

    package static func < (first: CanonicalDecimal, second: CanonicalDecimal) -> Bool {
        first.decimal < second.decimal
    }
}
