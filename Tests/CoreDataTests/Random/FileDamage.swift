import Foundation

/// Damage to files: random, but equal in every run.
struct FileDamage {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A file with a few bytes changed, lost, added or repeated, or its end cut off.
    mutating func bytes(_ file: Data) -> Data {
        var bytes = [UInt8](file)
        for _ in 0..<random.number(1...4) where !bytes.isEmpty {
            let position = random.number(0...bytes.count - 1)
            switch random.number(0...9) {
            case 0...4:
                bytes[position] = random.pick([0, 1, 0x7f, 0x80, 0xff, UInt8(random.number(0...255))])
            case 5: bytes[position] ^= 1 << UInt8(random.number(0...7))
            case 6: bytes.remove(at: position)
            case 7: bytes.insert(UInt8(random.number(0...255)), at: position)
            case 8:
                let end = min(bytes.count, position + random.number(1...64))
                bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
            default: bytes.removeLast(bytes.count - position)
            }
        }
        return Data(bytes)
    }

    /// Damages a file of fixed page sizes, whose critical parts are whole numbers.
    mutating func pages(_ file: Data) -> Data {
        var bytes = [UInt8](file)
        for _ in 0..<random.number(1...6) {
            let position = random.number(0...bytes.count - 1)
            bytes[position] = random.pick([0, 1, 0x7f, 0x80, 0xff, UInt8(random.number(0...255))])
        }
        return Data(bytes)
    }

    /// A text with a few characters replaced, lost or repeated.
    mutating func text(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0..<random.number(1...3) where !characters.isEmpty {
            let position = random.number(0...characters.count - 1)
            switch random.number(0...3) {
            case 0: characters[position] = random.pick(Array("/:-p%0t 9ÄA\u{0}"))
            case 1: characters.remove(at: position)
            case 2: characters.insert(characters[random.number(0...characters.count - 1)], at: position)
            default: characters.removeLast(characters.count - position)
            }
        }
        return String(characters)
    }

    /// Returns an SQL literal that a column may not expect.
    mutating func literal() -> String {
        random.pick([
            "NULL", "0", "-1", "1", "99", "9223372036854775807", "-9223372036854775808", "1e300", "9e999",
            "-9e999",
            "1.5", "''", "'text'", "'12'", "x''", "x'00'", "x'01'", "x'02'", "zeroblob(16)", "zeroblob(38)",
            "zeroblob(100000)", "x'ff'", "CAST(x'ff' AS TEXT)",
        ])
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }
    mutating func number(_ range: ClosedRange<Int>) -> Int { random.number(range) }
}
