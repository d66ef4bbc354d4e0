package import Foundation

/// A value that a row has and that cannot be read: its file is gone, or its bytes have no form that anybody knows.
///
/// To its readers the column is null. The row keeps what is stored, so that nobody who writes the rest of the row
/// loses it: the file may come back.
package final class UnreadableValue: Sendable {
    package enum Reason: Sendable, Hashable {
        case missingFile
        /// A file that is there and cannot be read, and what the system says of it.
        case unreadableFile(String)
        /// No value that is long enough for a file is empty.
        case emptyFile
        /// Bytes that begin with neither of the two marks (sqlite-store §6).
        case unknownForm
    }

    package let reason: Reason
    /// What the row has in the place of the value.
    package let stored: Data
    /// The file that the value should lie in.
    package let path: String?

    package init(_ reason: Reason, stored: Data, path: String?) {
        self.reason = reason
        self.stored = stored
        self.path = path
    }

    /// What is wrong, without saying whose value it is.
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
