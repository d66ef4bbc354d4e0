import Foundation

/// The suffix that distinguishes the private declarations of one file from those of another: an underscore
/// and the MD5 of the module name and the file's base name, in upper-case hexadecimal.
enum FileDiscriminator {
    static func discriminator(module: String, file: String) -> String {
        let baseName = URL(fileURLWithPath: file).lastPathComponent
        let digest = MD5.digest(of: Array((module + baseName).utf8))
        let digits = Array("0123456789ABCDEF")
        return digest.reduce(into: "_") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}

/// MD5 (RFC 1321), used for names only; nothing here is a secret.
enum MD5 {
    private static let shifts: [UInt32] =
        [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    private static let constants: [UInt32] = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }

    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            let block = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + word * 4 + $1]) << UInt32($1 * 8) }
            }
            state = zip(state, mix(block, into: state)).map { $0 &+ $1 }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) } }
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let length = UInt64(message.count) * 8
        return padded + (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64($0 * 8)) }
    }

    private static func mix(_ block: [UInt32], into state: [UInt32]) -> [UInt32] {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word): (UInt32, Int) =
                switch step / 16 {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), (7 * step) % 16)
                }
            let sum = a &+ mixed &+ constants[step] &+ block[word]
            let shift = shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        return [a, b, c, d]
    }
}
