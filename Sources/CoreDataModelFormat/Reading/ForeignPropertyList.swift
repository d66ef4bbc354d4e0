package import Foundation

/// Property lists of others, as Foundation's objects.
///
/// Foundation makes an object for each reference in a binary one. Where parts are referred to twice at each
/// level, a few hundred bytes ask for more memory than there is: such a list is refused before Foundation
/// sees it. So is one in the form of a text that is nested so deep that Foundation's parser, which calls
/// itself, runs out of its stack.
package enum ForeignPropertyList {
    /// More than the metadata, version lists and archived values of the largest stores have.
    private static let largestCount = 4_000_000
    /// Levels below each other, in whatever form: lists and trees are walked by functions that call themselves.
    static let deepest = 512

    package static func object(_ data: Data) throws -> Any {
        try check(data)
        return try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Throws for a binary list that becomes too much, and for a text that goes too deep; texts cannot refer
    /// to their parts.
    package static func check(_ data: Data) throws {
        guard data.starts(with: BinaryPropertyListReader.magic) else { return try checkDepth(data) }
        var remaining = largestCount
        try count(BinaryPropertyListReader.read(data), &remaining)
    }

    /// Counts what opens and closes, in whatever encoding: tags in XML, brackets in the older form. Within
    /// quotes it may count what is none.
    private static func checkDepth(_ text: Data) throws {
        let isXML = text.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
        var depth = 0
        var last: UInt8 = 0
        for byte in text where byte != 0 {
            switch (last, byte) {
            case (UInt8(ascii: "<"), UInt8(ascii: "!")), (UInt8(ascii: "<"), UInt8(ascii: "?")): break
            case (UInt8(ascii: "<"), UInt8(ascii: "/")) where isXML: depth -= 1
            case (UInt8(ascii: "/"), UInt8(ascii: ">")) where isXML: depth -= 1
            case (UInt8(ascii: "<"), _) where isXML: depth += 1
            case (_, UInt8(ascii: "(")) where !isXML, (_, UInt8(ascii: "{")) where !isXML: depth += 1
            case (_, UInt8(ascii: ")")) where !isXML, (_, UInt8(ascii: "}")) where !isXML: depth -= 1
            default: break
            }
            guard depth <= deepest else {
                throw ModelFileError("", .malformedPropertyList("it is nested too deeply"))
            }
            last = byte
        }
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
