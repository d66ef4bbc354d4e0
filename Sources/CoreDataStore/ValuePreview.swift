package import CoreDataModelFormat
package import CoreDataValues
package import Foundation

/// A value as a list shows it: the value itself, or the beginning of a long one.
package enum ValuePreview: Sendable, Equatable {
    case value(AttributeValue)
    /// The beginning of a text, and the number of all its characters.
    case text(String, length: Int)
    /// The first bytes of data, and the number of all of them.
    case bytes(Data, length: Int)
    /// The name of the file that holds the data.
    case file(String)
    /// The number of members of a to-many relationship.
    case count(Int)
    case unreadable(String)

    /// The greatest number of characters of a text.
    package static let textLength = 200
    /// The greatest number of bytes of data: enough to recognize a type of file.
    package static let byteCount = 16
}

extension ValuePreview {
    /// Makes the preview of a text that is known as a whole.
    package init(text: String) {
        self = .text(String(text.prefix(Self.textLength)), length: text.unicodeScalars.count)
    }

    /// Makes the preview of data that is known as a whole.
    package init(bytes: Data) {
        self = .bytes(Data(bytes.prefix(Self.byteCount)), length: bytes.count)
    }

    /// Makes the preview of a value that is known as a whole.
    package init(_ value: AttributeValue) {
        switch value {
        case .string(let text): self.init(text: text)
        case .uri(let url): self.init(text: url.absoluteString)
        case .data(let data): self.init(bytes: data)
        default: self = .value(value)
        }
    }
}

extension StoreBackend {
    /// Returns previews made of whole rows, for stores that have these in memory anyway.
    package func previews(
        of rows: [ObjectReference], slots: [PropertySlot]
    ) throws(StoreError) -> [Int64: [ValuePreview]] {
        var members: [Int: [Int64: [ObjectReference]]] = [:]
        for slot in slots where slot.isToMany && slot.column == nil {
            members[slot.index] = try related(slot.index, ofEach: rows)
        }
        var result: [Int64: [ValuePreview]] = [:]
        for row in try snapshots(for: rows) {
            result[row.key] = slots.map { slot in
                if slot.isToMany { return .count(members[slot.index]?[row.key]?.count ?? 0) }
                guard let column = slot.column else { return .value(.null) }
                if let unreadable = row.unreadableValue(column) { return .unreadable(unreadable.message) }
                return ValuePreview(row.value(column))
            }
        }
        return result
    }
}
