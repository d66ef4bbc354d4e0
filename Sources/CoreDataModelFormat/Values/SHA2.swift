package import Foundation

/// SHA-256 and SHA-512 (FIPS 180-4). Version hashes are the only cryptography of the model layer and hash a
/// few kilobytes, so these few lines spare every user the build of a cryptography package.
package enum SHA2 {
    /// 32 bytes.
    package static func sha256(_ message: some Collection<UInt8>) -> Data {
        digest(Array(message), SHA256Rounds.self)
    }

    /// 64 bytes.
    package static func sha512(_ message: some Collection<UInt8>) -> Data {
        digest(Array(message), SHA512Rounds.self)
    }

    private static func digest<Rounds: SHA2Rounds>(_ message: [UInt8], _ rounds: Rounds.Type) -> Data {
        let wordSize = Rounds.Word.bitWidth / 8
        let blockSize = 16 * wordSize
        var state = Rounds.initialState
        let bytes = padded(message, blockSize: blockSize, lengthSize: 2 * wordSize)
        var schedule = [Rounds.Word](repeating: 0, count: Rounds.constants.count)
        for block in stride(from: 0, to: bytes.count, by: blockSize) {
            for word in 0..<16 {
                let start = block + word * wordSize
                schedule[word] = bytes[start..<start + wordSize].reduce(0) { $0 << 8 | Rounds.Word($1) }
            }
            for word in 16..<schedule.count {
                schedule[word] =
                    Rounds.smallSigma1(schedule[word - 2]) &+ schedule[word - 7]
                    &+ Rounds.smallSigma0(schedule[word - 15]) &+ schedule[word - 16]
            }
            compress(&state, schedule, rounds)
        }
        return Data(
            state.flatMap { word in
                (0..<wordSize).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
            })
    }

    /// The message, a one bit, zeros, and the message's length in bits.
    private static func padded(_ message: [UInt8], blockSize: Int, lengthSize: Int) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        while bytes.count % blockSize != blockSize - lengthSize { bytes.append(0) }
        bytes += [UInt8](repeating: 0, count: lengthSize - 8)
        let bitCount = UInt64(message.count) * 8
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: bitCount >> ($0 * 8)) }
        return bytes
    }

    private static func compress<Rounds: SHA2Rounds>(
        _ state: inout [Rounds.Word], _ schedule: [Rounds.Word], _ rounds: Rounds.Type
    ) {
        let constants = Rounds.constants
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in schedule.indices {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ Rounds.bigSigma1(e) &+ choice &+ constants[round] &+ schedule[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = Rounds.bigSigma0(a) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

/// What differs between the two widths.
private protocol SHA2Rounds {
    associatedtype Word: FixedWidthInteger & UnsignedInteger
    static var initialState: [Word] { get }
    static var constants: [Word] { get }
    static func bigSigma0(_ word: Word) -> Word
    static func bigSigma1(_ word: Word) -> Word
    static func smallSigma0(_ word: Word) -> Word
    static func smallSigma1(_ word: Word) -> Word
}

extension FixedWidthInteger {
    fileprivate func rotated(_ count: Int) -> Self {
        self >> Self(count) | self << Self(Self.bitWidth - count)
    }
}

private enum SHA256Rounds: SHA2Rounds {
    static func bigSigma0(_ word: UInt32) -> UInt32 { word.rotated(2) ^ word.rotated(13) ^ word.rotated(22) }
    static func bigSigma1(_ word: UInt32) -> UInt32 { word.rotated(6) ^ word.rotated(11) ^ word.rotated(25) }
    static func smallSigma0(_ word: UInt32) -> UInt32 { word.rotated(7) ^ word.rotated(18) ^ word >> 3 }
    static func smallSigma1(_ word: UInt32) -> UInt32 { word.rotated(17) ^ word.rotated(19) ^ word >> 10 }

    static let initialState: [UInt32] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]
    static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}

private enum SHA512Rounds: SHA2Rounds {
    static func bigSigma0(_ word: UInt64) -> UInt64 { word.rotated(28) ^ word.rotated(34) ^ word.rotated(39) }
    static func bigSigma1(_ word: UInt64) -> UInt64 { word.rotated(14) ^ word.rotated(18) ^ word.rotated(41) }
    static func smallSigma0(_ word: UInt64) -> UInt64 { word.rotated(1) ^ word.rotated(8) ^ word >> 7 }
    static func smallSigma1(_ word: UInt64) -> UInt64 { word.rotated(19) ^ word.rotated(61) ^ word >> 6 }

    static let initialState: [UInt64] = [
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    ]
    static let constants: [UInt64] = [
        0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
        0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
        0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
        0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
        0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
        0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
        0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
        0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
        0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
        0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
        0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
        0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
        0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
        0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
        0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
        0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
        0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
        0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
        0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
        0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
    ]
}
