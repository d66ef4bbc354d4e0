package import Foundation

/// A stored value that cannot be read: its external file is gone, or its bytes have no known form.
///
/// The column reads as null. The row keeps the stored bytes, so that writing the other columns does not lose
/// the value: the file may come back.
package final class UnreadableValue: Sendable {
    package enum Reason: Sendable, Hashable {
        case missingFile
        /// A file that exists and cannot be read, with the system's error text.
        case unreadableFile(String)
        /// An empty file. No stored value is empty, since only long values are kept in files.
        case emptyFile
        /// Bytes that begin with neither of the two markers (sqlite-store §6).
        case unknownForm
    }

    package let reason: Reason
    /// The bytes that the row has in the place of the value.
    package let stored: Data
    /// The path of the file that should hold the value.
    package let path: String?

    package init(_ reason: Reason, stored: Data, path: String?) {
        self.reason = reason
        self.stored = stored
        self.path = path
    }

    /// The reason as a text, without the row and the attribute.
    package var message: String {
        let file = "the external file \(path ?? "")"
        return switch reason {
        case .missingFile: "\(file) is missing"
        case .unreadableFile(let text): "\(file) cannot be read: \(text)"
        case .emptyFile: "\(file) is empty"
        case .unknownForm:
            "the stored bytes are neither a value nor the name of a file: they begin with "
                + stored.prefix(4).map { String(format: "%02x", $0) }.joined(separator: " ")
        }
    }
}

extension Snapshot {
    /// The columns whose values cannot be read.
    package var unreadableColumns: [Int] {
        layout.columns.indices.filter { unreadableValue($0) != nil }
    }
}
