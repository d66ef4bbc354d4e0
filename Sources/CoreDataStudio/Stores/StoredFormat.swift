import CoreDataStudioInterface
import Foundation

/// A format of files that stored bytes are in, recognized by their first bytes.
enum StoredFormat: String, Sendable {
    case png, jpeg, gif, webp
    case plist = "property list"
    case xml, pdf, zip, gzip, sqlite

    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(16))
        let found = Self.signatures.first { bytes.starts(with: $0.bytes) }?.format
        if let found {
            self = found
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            self = .webp
        } else {
            return nil
        }
    }

    private static let signatures: [(format: StoredFormat, bytes: [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), (.jpeg, [0xFF, 0xD8, 0xFF]),
        (.gif, Array("GIF8".utf8)), (.plist, Array("bplist0".utf8)), (.xml, Array("<?xml".utf8)),
        (.pdf, Array("%PDF-".utf8)), (.zip, [0x50, 0x4B, 3, 4]), (.gzip, [0x1F, 0x8B]),
        (.sqlite, Array("SQLite format 3".utf8)),
    ]

    /// The type under which a page may show the bytes. Nothing that a browser would run is among them.
    var contentType: StudioResponse.ContentType {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .webp: .webp
        default: .bytes
        }
    }
}
