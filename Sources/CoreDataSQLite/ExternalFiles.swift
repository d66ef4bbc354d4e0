import Foundation

/// The files beside a store that hold values too large for a row (sqlite-store §6).
package struct ExternalFiles: Sendable {
    /// Values above this many bytes go to a file of their own.
    static let threshold = 100_000

    private let directory: String

    package init(storePath: String) {
        let url = URL(fileURLWithPath: storePath)
        let name = url.deletingPathExtension().lastPathComponent
        directory = url.deletingLastPathComponent().path + "/.\(name)_SUPPORT/_EXTERNAL_DATA"
    }

    /// The content of a file by the name a row has for it; nil if it is gone.
    func read(_ name: String) -> Data? {
        guard UUID(uuidString: name) != nil else { return nil }
        return FileManager.default.contents(atPath: "\(directory)/\(name)")
    }

    /// The name in a reference: the bytes behind marker 02, 36 characters and a NUL.
    static func name(in reference: UnsafeRawBufferPointer) -> String? {
        guard reference.count >= 37, reference[0] == 2 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(rebasing: reference[1..<37]), as: UTF8.self)
    }
}
