import CoreDataSQLite
package import Foundation

/// The ways in which the body of a request may be compressed.
package enum BodyEncoding: String, Hashable, Sendable {
    case identity, deflate, gzip

    /// A body is at most so many times longer than its compressed bytes, so that few bytes do not make much work.
    /// Messages of text shrink to a tenth.
    package static let ratio = 100

    /// Returns the bytes of a body.
    ///
    /// - Parameter limit: The bytes of a body at most.
    /// - Throws: `ServiceError.malformed` for bytes of another form, and a body that is too long.
    package func body(_ bytes: Data, upTo limit: Int) throws(ServiceError) -> Data {
        if self == .identity { return bytes }
        let most = min(limit, bytes.count * Self.ratio)
        guard let stream = stream(in: bytes), let body = Deflate.decompress(stream, upTo: most) else {
            throw ServiceError.malformed(
                "the body is not \(rawValue), or longer than \(limit) bytes or \(Self.ratio) times its bytes")
        }
        return body
    }

    /// Returns the bytes from the deflate stream on; nil if there is no header before it.
    private func stream(in bytes: Data) -> Data? {
        let head = [UInt8](bytes.prefix(10))
        switch self {
        case .identity: return bytes
        case .deflate:
            // A zlib header without a dictionary.
            guard head.count >= 2, head[0] & 15 == 8, head[1] & 32 == 0,
                (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
            else { return nil }
            return bytes.dropFirst(2)
        case .gzip:
            // A header without a name, a comment and other fields, which say nothing about a message.
            guard head.count == 10, head[..<3] == [0x1F, 0x8B, 8], head[3] == 0 else { return nil }
            return bytes.dropFirst(10)
        }
    }
}
