/// The removal of the differences that `[c]` and `[d]` ignore, from UTF-8 bytes to UTF-8 bytes, without
/// making a string.
enum StringFolding {
    /// The greatest factor by which a character grows when it is folded.
    static let growth = 4

    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = bytes.count
        var seen: UInt64 = 0
        guard count >= 8, let base = UnsafeRawPointer(bytes.baseAddress) else {
            for byte in bytes { seen |= UInt64(byte) }
            return seen & 0x80 == 0
        }
        var offset = 0
        while offset <= count &- 8 {
            seen |= base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        // The last word overlaps the one before.
        seen |= base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Writes the folded form and returns its length. `output` has room for `growth` times the input.
    static func fold(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: ComparisonOptions,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        let target = UnsafeMutableRawBufferPointer(output)
        let table = FoldingTable.table(for: options)
        let foldsCase = options.contains(.caseInsensitive)
        var read = 0
        var written = 0
        while read < bytes.count {
            if read + 8 <= bytes.count, bytes[read] < 0x80 {
                // Eight bytes at a time, for which the output has room. If one of them is not ASCII,
                // everything from there on is overwritten afterwards.
                let word = ByteSearch.word(start, read)
                let folded = foldsCase ? ByteSearch.lowercase(word) : word
                target.storeBytes(of: folded.littleEndian, toByteOffset: written, as: UInt64.self)
                let count = ByteSearch.leadingASCII(word)
                read += count
                written += count
                if count == 8 { continue }
            }
            let byte = bytes[read]
            if byte < 0x80 {
                output[written] = foldsCase ? ByteSearch.lowercase(byte) : byte
                read += 1
                written += 1
                continue
            }
            guard let (scalar, length) = decode(bytes, at: read) else {
                output[written] = byte
                read += 1
                written += 1
                continue
            }
            read += length
            var folded = table.folded(scalar)
            while folded != 0 {
                output[written] = UInt8(truncatingIfNeeded: folded)
                written += 1
                folded >>= 8
            }
        }
        return written
    }

    /// Returns the character that begins at an offset; nil if none begins there.
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        let first = bytes[index]
        let length =
            switch first {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, index + length <= bytes.count else { return nil }
        if length == 1 { return (Unicode.Scalar(first), 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[index + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }

    /// Calls a body with the folded bytes, which are on the stack if they fit there.
    static func withFolded<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: ComparisonOptions,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(bytes.count * growth, 1)) { buffer in
            let count = fold(bytes, options: options, into: buffer)
            return body(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
