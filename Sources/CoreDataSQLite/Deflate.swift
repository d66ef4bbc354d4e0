import CZlib
package import Foundation

/// Raw deflate without a zlib header, which is the encoding of the model cache (sqlite-store §2).
package enum Deflate {
    package static func compress(_ data: Data) -> Data? {
        var stream = z_stream()
        guard opencoredata_deflate_init_raw(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        return run(&stream, data, .max) { deflate(&$0, Z_FINISH) }
    }

    /// The greatest size of decompressed data, many times that of a large model. Without a limit, a stream a
    /// thousand times smaller than memory could take all of it.
    package static let largestSize = 1 << 28

    /// Decompresses data. Returns nil if the bytes are not a deflate stream, or if the stream has no end or
    /// exceeds the limit.
    package static func decompress(_ data: Data, upTo limit: Int = largestSize) -> Data? {
        var stream = z_stream()
        guard opencoredata_inflate_init_raw(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        return run(&stream, data, limit) { inflate(&$0, Z_NO_FLUSH) }
    }

    /// Feeds all of `data` to a stream and collects the output until the stream ends.
    private static func run(
        _ stream: inout z_stream,
        _ data: Data,
        _ limit: Int,
        _ step: (inout z_stream) -> Int32
    ) -> Data? {
        var result = Data()
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        return data.withUnsafeBytes { source in
            // It is not written: zlib has no type for that.
            stream.next_in = UnsafeMutablePointer(
                mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.avail_in = UInt32(source.count)
            while true {
                let (code, count) = chunk.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    let code = step(&stream)
                    return (code, buffer.count - Int(stream.avail_out))
                }
                guard count <= limit - result.count else { return nil }
                result.append(contentsOf: chunk[..<count])
                if code == Z_STREAM_END { return result }
                guard code == Z_OK, count > 0 || stream.avail_in > 0 else { return nil }
            }
        }
    }
}
