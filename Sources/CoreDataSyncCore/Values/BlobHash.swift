import CoreDataValues

/// The SHA-256 of bytes that are stored apart, which is their name.
package struct BlobHash: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Makes the hash of bytes.
    package init(of bytes: [UInt8]) { self.bytes = Array(SHA2.sha256(bytes)) }

    /// Takes a hash; nil for bytes that are none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 small hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text == text.lowercased() else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard rest.allSatisfy(\.isHexDigit), let byte = UInt8(rest.prefix(2), radix: 16) else {
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        self.bytes = bytes
    }

    /// The hash in small hexadecimal digits.
    package var text: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }
}

extension SyncValue {
    /// Returns the value that stands for data of more bytes than that; another value as it is.
    package func apart(above limit: Int) -> SyncValue {
        guard case .data(let bytes) = self, bytes.count > limit else { return self }
        return .blob(hash: BlobHash(of: bytes).bytes, size: UInt64(bytes.count))
    }

    /// The hash of the bytes for which the value stands; nil for a value that stands for itself.
    package var blob: BlobHash? {
        if case .blob(let hash, _) = self { BlobHash(hash) } else { nil }
    }
}
