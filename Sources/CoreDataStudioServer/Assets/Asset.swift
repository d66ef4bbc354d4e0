#if Studio
/// A file of the page.
struct Asset: Sendable {
    let bytes: [UInt8]
    let type: String
    /// What tells a browser whether it has the file already.
    let tag: String

    /// Makes a file. Returns nil if the page has no files of its kind.
    init?(named name: String, bytes: [UInt8]) {
        let kind = name.split(separator: ".").last
        guard let type = kind.flatMap({ Self.types[String($0)] }) else { return nil }
        self.bytes = bytes
        self.type = type
        tag = "\"\(String(Self.hash(bytes), radix: 36))\""
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    /// FNV-1a of 64 bits: it tells versions of our own files apart, and protects nothing.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
#endif
