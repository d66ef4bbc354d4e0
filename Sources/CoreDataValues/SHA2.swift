package import Foundation

/// SHA-256 and SHA-512 (FIPS 180-4).
///
/// Version hashes and receipts of synchronization hash only a few kilobytes. With this code,
/// users need not build a cryptography package.
///
/// It is one algorithm for two widths of words. Both are `UInt64` here; the upper bits of short words are
/// zero. Generic words would make debug builds five times as slow, and hashing takes most of the time of
/// opening a store with a large model.
package struct SHA2: Sendable {
    /// The number of bits in a word.
    private let width: UInt64
    private let mask: UInt64
    private let initialState: [UInt64]
    private let constants: [UInt64]
    private let bigSigma0, bigSigma1, smallSigma0, smallSigma1: Sigma

    /// The numbers of bits by which a word is rotated before it is combined with itself; the small sigmas
    /// shift by the third number.
    private typealias Sigma = (UInt64, UInt64, UInt64)

    private static let short = SHA2(
        width: 32, rounds: 64, big: (2, 13, 22), (6, 11, 25), small: (7, 18, 3), (17, 19, 10))
    private static let long = SHA2(
        width: 64, rounds: 80, big: (28, 34, 39), (14, 18, 41), small: (1, 8, 7), (19, 61, 6))

    private init(
        width: UInt64, rounds: Int, big big0: Sigma, _ big1: Sigma, small small0: Sigma, _ small1: Sigma
    ) {
        self.width = width
        mask = ~0 &>> (64 - width)
        // The constants of short words are the first halves of those of long words.
        initialState = Self.initialState.map { $0 &>> (64 - width) }
        constants = Self.constants.prefix(rounds).map { $0 &>> (64 - width) }
        (bigSigma0, bigSigma1, smallSigma0, smallSigma1) = (big0, big1, small0, small1)
    }

    /// Returns the SHA-256 hash, 32 bytes.
    package static func sha256(_ message: some Collection<UInt8>) -> Data { short.digest(Array(message)) }

    /// Returns the SHA-512 hash, 64 bytes.
    package static func sha512(_ message: some Collection<UInt8>) -> Data { long.digest(Array(message)) }

    private func digest(_ message: [UInt8]) -> Data {
        let bytes = padded(message)
        var state = initialState
        var schedule = constants
        for block in stride(from: 0, to: bytes.count, by: blockSize) {
            fill(&schedule, from: bytes, at: block)
            compress(&state, schedule)
        }
        var result = Data()
        for word in state { append(word, as: wordSize, to: &result) }
        return result
    }

    private var wordSize: Int { Int(width / 8) }
    private var blockSize: Int { 16 * wordSize }

    private func append(
        _ value: UInt64, as count: Int, to bytes: inout some RangeReplaceableCollection<UInt8>
    ) {
        for byte in 1...count {
            bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* (count &- byte))))
        }
    }

    /// Returns the message followed by a one bit, zeros, and the message's length in bits, in two words.
    private func padded(_ message: [UInt8]) -> [UInt8] {
        let length = message.count + 1 + 2 * wordSize
        let zeros = (blockSize - length % blockSize) % blockSize + 2 * wordSize - 8
        var bytes = message + [0x80] + [UInt8](repeating: 0, count: zeros)
        append(UInt64(message.count) * 8, as: 8, to: &bytes)
        return bytes
    }

    private func fill(_ schedule: inout [UInt64], from bytes: [UInt8], at start: Int) {
        for index in 0..<16 {
            var word: UInt64 = 0
            for byte in 0..<wordSize { word = word &<< 8 | UInt64(bytes[start &+ index &* wordSize &+ byte]) }
            schedule[index] = word
        }
        for index in 16..<schedule.count {
            let (near, far) = (schedule[index &- 2], schedule[index &- 15])
            let mixed = mixed(near, smallSigma1, shifting: true) &+ mixed(far, smallSigma0, shifting: true)
            schedule[index] = (mixed &+ schedule[index &- 7] &+ schedule[index &- 16]) & mask
        }
    }

    private func compress(_ state: inout [UInt64], _ schedule: [UInt64]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<schedule.count {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ mixed(e, bigSigma1) &+ choice &+ constants[round] &+ schedule[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = mixed(a, bigSigma0) &+ majority
            (h, g, f, e) = (g, f, e, (d &+ first) & mask)
            (d, c, b, a) = (c, b, a, (first &+ second) & mask)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
            state[index] = (state[index] &+ word) & mask
        }
    }

    private func mixed(_ word: UInt64, _ sigma: Sigma, shifting: Bool = false) -> UInt64 {
        let last = shifting ? word &>> sigma.2 : rotated(word, sigma.2)
        return rotated(word, sigma.0) ^ rotated(word, sigma.1) ^ last
    }

    private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        (word &>> count | word &<< (width &- count)) & mask
    }

    private static let initialState: [UInt64] = [
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    ]
    private static let constants: [UInt64] = [
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
