package import Foundation

/// A check of property lists that another program wrote, before Foundation reads them.
///
/// Foundation makes an object for each reference in a binary list. If each level refers to its parts twice, a
/// few hundred bytes take more memory than there is, so such a list is rejected, by our own reader. A list in
/// text form is rejected if its nesting would overflow the stack of Foundation's recursive parser.
package enum ForeignPropertyList {
    /// The greatest number of nested levels in any form, since recursive functions walk lists and trees.
    package static let deepest = 512

    package static func object(_ data: Data) throws -> Any {
        try check(data)
        return try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Throws a `ModelFileError` for a binary list with too many objects, or a list in text form that is
    /// nested too deeply. Lists in text form cannot share parts.
    package static func check(_ data: Data) throws {
        guard data.starts(with: BinaryPropertyListReader.magic) else { return try checkDepth(data) }
        _ = try BinaryPropertyListReader.read(data)
    }

    /// Counts the levels of nesting, in any encoding: of tags in XML, of brackets in the older form. It may
    /// also count brackets inside quoted strings.
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
}
