/// Keys as bytes whose order is that of the keys, for indexes of databases.
///
/// An object is a zero and its ID. A pair is a one, the name, two zeros and both IDs; a zero in the name is
/// followed by 255, so that no name ends within another one.
extension ItemKey {
    package var ordered: [UInt8] {
        switch self {
        case .object(let id): return [0] + id.bytes
        case .pair(let name, let first, let second):
            var bytes: [UInt8] = [1]
            for byte in name.utf8 { bytes += byte == 0 ? [0, 255] : [byte] }
            return bytes + [0, 0] + first.bytes + second.bytes
        }
    }

    /// Reads what `ordered` wrote; nil for other bytes.
    package init?(ordered bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        if bytes.first == 0, bytes.count == 17 {
            self = .object(SyncID(bytes: bytes[1...]))
            return
        }
        guard bytes.first == 1, bytes.count >= 35 else { return nil }
        var name: [UInt8] = []
        var rest = bytes[1..<bytes.count - 34]
        while let byte = rest.popFirst() {
            name.append(byte)
            if byte == 0, rest.popFirst() != 255 { return nil }
        }
        let ids = bytes.suffix(32)
        guard bytes.dropLast(32).suffix(2) == [0, 0] else { return nil }
        self = .pair(
            String(decoding: name, as: UTF8.self), SyncID(bytes: ids.prefix(16)),
            SyncID(bytes: ids.suffix(16)))
    }
}
