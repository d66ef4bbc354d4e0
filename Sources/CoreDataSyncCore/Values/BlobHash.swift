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
    /// Returns the value with what stands for data of more bytes than that, also in its elements.
    package func apart(above limit: Int) -> SyncValue {
        switch self {
        case .data(let bytes) where bytes.count > limit:
            .blob(hash: BlobHash(of: bytes).bytes, size: UInt64(bytes.count))
        case .composite(let elements):
            .composite(elements.map { Element($0.name, $0.value.apart(above: limit)) })
        default: self
        }
    }

    /// Returns the value with its bytes, which a closure finds.
    package func whole(_ bytes: (BlobHash) throws -> [UInt8]) rethrows -> SyncValue {
        switch self {
        case .composite(let elements):
            return .composite(try elements.map { Element($0.name, try $0.value.whole(bytes)) })
        case .blob(let hash, _):
            guard let name = BlobHash(hash) else { return self }
            return .data(try bytes(name))
        default: return self
        }
    }

    /// Returns the data of more bytes than that which the value and its elements have.
    package func large(above limit: Int) -> [[UInt8]] {
        switch self {
        case .data(let bytes) where bytes.count > limit: [bytes]
        case .composite(let elements): elements.flatMap { $0.value.large(above: limit) }
        default: []
        }
    }

    /// The hashes and sizes of the bytes for which the value and its elements stand.
    private var references: [(name: BlobHash, size: UInt64)] {
        switch self {
        case .blob(let hash, let size): BlobHash(hash).map { [($0, size)] } ?? []
        case .composite(let elements): elements.flatMap { $0.value.references }
        default: []
        }
    }

    /// The hashes of the bytes for which the value and its elements stand.
    package var blobs: [BlobHash] { references.map(\.name) }

    /// The sizes of these bytes.
    var blobSizes: [UInt64] { references.map(\.size) }
}
