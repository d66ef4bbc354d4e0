package import Foundation

/// The form of a `numeric`: digits to base 10 000, the exponent of the first, a sign, and the number of
/// decimal places to show.
extension Decimal: BinaryValue {
    package static var type: PostgreSQLType { .numeric }

    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000

    package func write(to bytes: inout [UInt8]) {
        guard !isNaN else {
            return Self.write(count: 0, weight: 0, sign: Self.notANumber, scale: 0, to: &bytes)
        }
        var mantissa = wholeMantissa
        // The least significant group has only so many digits that the exponents of all groups are multiples
        // of 4.
        let shift = ((exponent % 4) + 4) % 4
        let unit = mantissa == 0 ? 0 : (exponent - shift) / 4
        var groups: [UInt16] = []
        if shift > 0 {
            let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: Self.powers[4 - shift])
            groups.append(UInt16(rest * Self.powers[shift]))
            mantissa = quotient
        }
        while mantissa > 0 {
            let (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: 10_000)
            groups.append(UInt16(rest))
            mantissa = quotient
        }
        let zeros = groups.prefix { $0 == 0 }.count
        let digits = groups.dropFirst(zeros)
        Self.write(
            count: digits.count, weight: digits.isEmpty ? 0 : unit + groups.count - 1,
            sign: isSignMinus && !digits.isEmpty ? Self.negative : 0, scale: max(0, -exponent), to: &bytes)
        for digit in digits.reversed() { Int16(digit).write(to: &bytes) }
    }

    private static func write(count: Int, weight: Int, sign: UInt16, scale: Int, to bytes: inout [UInt8]) {
        for word in [Int16(count), Int16(weight), Int16(bitPattern: sign), Int16(scale)] {
            word.write(to: &bytes)
        }
    }

    /// Reads a number and rounds it to the 38 digits that a decimal has in any case; nil for one that is too
    /// large, and for infinity. Trailing zeros are dropped, so that equal numbers have the same bytes.
    package init?(binary bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
        guard bytes.count >= 8, bytes.count == 8 + 2 * Int(word(0)) else { return nil }
        let count = Int(word(0))
        switch word(2) {
        case 0, Self.negative: break
        case Self.notANumber:
            self = .nan
            return
        default: return nil
        }
        var digits = DecimalDigits()
        for index in 0..<count { digits.append(group: word(4 + index)) }
        let exponent = 4 * (Int(Int16(bitPattern: word(1))) - count + 1)
        guard let (mantissa, power) = digits.fitted(exponent: exponent) else { return nil }
        self.init(mantissa, exponent: power, isNegative: word(2) == Self.negative && mantissa != 0)
    }

    /// The powers of ten that are less than a group's base.
    private static let powers: [UInt128] = [1, 10, 100, 1000]

    /// The digits without sign and exponent. Foundation gives them as text only.
    private var wholeMantissa: UInt128 {
        magnitude.significand.description.utf8.reduce(0) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) }
    }

    private init(_ mantissa: UInt128, exponent: Int, isNegative: Bool) {
        let (high, low) = (UInt64(mantissa >> 64), UInt64(truncatingIfNeeded: mantissa))
        let significand = high == 0 ? Decimal(low) : Decimal(high) * Self.wordBase + Decimal(low)
        self.init(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    private static let wordBase = Decimal(UInt64.max) + 1
}

/// The digits of a number that is read. Those that do not fit into the mantissa's 128 bits are dropped.
private struct DecimalDigits {
    private var mantissa: UInt128 = 0
    /// The number of digits dropped.
    private var dropped = 0
    /// The first digit dropped, by which the rest is rounded.
    private var next: UInt16 = 0

    mutating func append(group: UInt16) {
        for divisor: UInt16 in [1000, 100, 10, 1] {
            let digit = group / divisor % 10
            if dropped == 0, let longer = Self.appending(digit, to: mantissa) {
                mantissa = longer
            } else {
                if dropped == 0 { next = digit }
                dropped += 1
            }
        }
    }

    private static func appending(_ digit: UInt16, to mantissa: UInt128) -> UInt128? {
        let (product, hasOverflown) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, hasCarried) = product.addingReportingOverflow(UInt128(digit))
        return hasOverflown || hasCarried ? nil : sum
    }

    /// Returns the number as a mantissa and an exponent that a decimal holds; nil if it is too large.
    ///
    /// - Parameter exponent: The exponent of the last digit appended.
    consuming func fitted(exponent: Int) -> (UInt128, Int)? {
        var exponent = exponent + dropped
        if next >= 5 {
            let (sum, hasOverflown) = mantissa.addingReportingOverflow(1)
            // The mantissa was the greatest possible one, so its last digit is dropped.
            (mantissa, exponent) = hasOverflown ? (mantissa / 10 + 1, exponent + 1) : (sum, exponent)
        }
        guard mantissa != 0 else { return (0, 0) }
        while mantissa % 10 == 0 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
        while exponent > Int(Int8.max) {
            guard let longer = Self.appending(0, to: mantissa) else { return nil }
            (mantissa, exponent) = (longer, exponent - 1)
        }
        var last: UInt128 = 0
        while exponent < Int(Int8.min), mantissa != 0 {
            last = mantissa % 10
            (mantissa, exponent) = (mantissa / 10, exponent + 1)
        }
        if last >= 5 { mantissa += 1 }
        return mantissa == 0 ? (0, 0) : (mantissa, exponent)
    }
}
