package import Foundation

/// Property lists of others, as Foundation's objects.
///
/// Foundation makes an object for each reference in a binary one. Where parts are referred to twice at each level, a few
/// hundred bytes ask for more memory than there is: such a list is refused before Foundation sees it.
package enum ForeignPropertyList {
    /// More than the metadata, version lists and archived values of the largest stores have.
    private static let largestCount = 4_000_000

    package static func object(_ data: Data) throws -> Any {
        try check(data)
        return try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Throws for a binary list that becomes too much. Texts cannot refer to their parts.
    package static func check(_ data: Data) throws {
        guard data.starts(with: BinaryPropertyListReader.magic) else { return }
        var remaining = largestCount
        try count(BinaryPropertyListReader.read(data), &remaining)
    }

    private static func count(_ value: PropertyList, _ remaining: inout Int) throws {
        remaining -= 1
        guard remaining >= 0 else {
            throw ModelFileError("", .malformedPropertyList("its parts are too many"))
        }
        switch value {
        case .array(let elements): for element in elements { try count(element, &remaining) }
        case .dictionary(let entries): for entry in entries { try count(entry.value, &remaining) }
        case .data(let data): remaining -= data.count / 4096
        case .string(let text): remaining -= text.utf8.count / 4096
        default: break
        }
    }
}
