/// Swift's variant of Punycode (RFC 3492) for identifiers: digits are the letters `a`-`z` and `A`-`J`, the
/// delimiter is `_`, and ASCII characters that are not allowed in a symbol are encoded too.
enum Punycode {
    private static let base = 36
    private static let minimumThreshold = 1
    private static let maximumThreshold = 26
    private static let initialBias = 72
    private static let initialCodePoint: UInt32 = 128
    /// The start of the range to which ASCII characters not allowed in symbols are moved before encoding.
    private static let symbolOffset: UInt32 = 0xD800

    /// Returns the encoded form, or nil for an identifier that needs no encoding.
    static func encoding(of identifier: String) -> String? {
        guard identifier.unicodeScalars.contains(where: { !isSymbolScalar($0) }) else { return nil }
        return encode(
            identifier.unicodeScalars.map { scalar in
                scalar.isASCII && !isSymbolScalar(scalar) ? scalar.value + symbolOffset : scalar.value
            })
    }

    private static func isSymbolScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: false
        }
    }

    private static func encode(_ input: [UInt32]) -> String {
        let basic = input.filter { $0 < 128 }
        var output = String(String.UnicodeScalarView(basic.compactMap(Unicode.Scalar.init)))
        if !basic.isEmpty { output += "_" }
        var codePoint = initialCodePoint
        var delta = 0
        var bias = initialBias
        var handled = basic.count
        while handled < input.count {
            let next = input.filter { $0 >= codePoint }.min() ?? codePoint
            delta += Int(next - codePoint) * (handled + 1)
            codePoint = next
            for value in input {
                if value < codePoint { delta += 1 }
                guard value == codePoint else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, points: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            codePoint += 1
        }
        return output
    }

    private static func digits(of delta: Int, bias: Int) -> String {
        var rest = delta
        var text = ""
        for k in stride(from: base, through: .max, by: base) {
            let threshold = min(max(k - bias, minimumThreshold), maximumThreshold)
            if rest < threshold { break }
            text.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
        }
        text.append(digit(rest))
        return text
    }

    private static func digit(_ value: Int) -> Character {
        let first = value < 26 ? Int(UInt8(ascii: "a")) : Int(UInt8(ascii: "A")) - 26
        return Character(Unicode.Scalar(UInt8(first + value)))
    }

    private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var k = 0
        while delta > (base - minimumThreshold) * maximumThreshold / 2 {
            delta /= base - minimumThreshold
            k += base
        }
        return k + (base - minimumThreshold + 1) * delta / (delta + 38)
    }
}
