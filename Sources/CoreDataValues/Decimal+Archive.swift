package import Foundation

/// Converts decimal numbers from and to the form of keyed archives: a whole number in 16-bit words, the
/// lowest first, and an exponent.
extension Decimal {
    package var mantissaWords: [UInt16] {
        var rest = magnitude.significand
        var words: [UInt16] = []
        while rest > 0 {
            var (quotient, exact) = (Decimal(), rest / 65536)
            NSDecimalRound(&quotient, &exact, 0, .down)
            words.append(UInt16(truncating: NSDecimalNumber(decimal: rest - quotient * 65536)))
            rest = quotient
        }
        return words
    }

    /// Makes the number; nil if there are more than 8 words, or the exponent is outside of -128...127.
    package init?(mantissaWords words: some BidirectionalCollection<UInt16>, exponent: Int, isNegative: Bool)
    {
        guard words.count <= 8, (-128...127).contains(exponent) else { return nil }
        let magnitude = words.reversed().reduce(Decimal(0)) { $0 * 65536 + Decimal(Int($1)) }
        self.init(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
    }

    /// The words in the form of Apple's archives: eight, little-endian.
    package var mantissaData: Data {
        let words = mantissaWords
        let padded = words + Array(repeating: 0, count: max(0, 8 - words.count))
        return Data(padded.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }

    /// Makes the number from the words in the archive's byte order.
    ///
    /// - Parameter length: The number of words in use.
    package init?(
        mantissaData data: Data, isBigEndian: Bool, length: Int, exponent: Int, isNegative: Bool
    ) {
        let bytes = [UInt8](data.prefix(2 * max(0, min(8, length))))
        let words = stride(from: 0, to: bytes.count & ~1, by: 2).map { offset in
            let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        self.init(mantissaWords: words, exponent: exponent, isNegative: isNegative)
    }
}
