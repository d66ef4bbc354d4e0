#if Studio
/// 256 random bits as text.
struct Secret: Sendable {
    let text: String

    init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares in a time that does not tell how much of another text is right.
    func equals(_ other: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in own.indices { difference |= own[index] ^ other[index] }
        return difference == 0
    }
}
#endif
