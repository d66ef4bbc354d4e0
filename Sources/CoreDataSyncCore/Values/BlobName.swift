import CoreDataValues

/// The SHA-256 of bytes that are stored apart.
package struct BlobName: Hashable, Sendable {
    package let hash: [UInt8]

    package init(hash: [UInt8]) { self.hash = hash }

    /// Makes the name of bytes.
    package init(of bytes: [UInt8]) { self.init(hash: Array(SHA2.sha256(bytes))) }

    /// The hash in small hexadecimal digits.
    package var text: String {
        hash.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

extension SyncValue {
    /// Returns the value that stands for data of more bytes than that; another value as it is.
    package func apart(above limit: Int) -> SyncValue {
        guard case .data(let bytes) = self, bytes.count > limit else { return self }
        return .blob(hash: BlobName(of: bytes).hash, size: UInt64(bytes.count))
    }

    /// The name of the bytes for which the value stands; nil for a value that stands for itself.
    package var blob: BlobName? {
        if case .blob(let hash, _) = self { BlobName(hash: hash) } else { nil }
    }
}
