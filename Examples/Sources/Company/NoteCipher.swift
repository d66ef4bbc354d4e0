import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Seals notes with AES-GCM. An app keeps the key in its key chain; this one lasts as long as the process.
enum NoteCipher {
    private static let key = SymmetricKey(size: .bits256)

    static func seal(_ note: String) -> Data? {
        try? AES.GCM.seal(Data(note.utf8), using: key).combined
    }

    /// Nil for what was not sealed with the key, or was changed since.
    static func open(_ sealed: Data) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let note = try? AES.GCM.open(box, using: key)
        else { return nil }
        return String(decoding: note, as: UTF8.self)
    }
}
