package import Foundation

/// XML of others, before it is parsed.
package enum ForeignXML {
    /// What keeps a file from being parsed, in words; nil for nothing.
    ///
    /// Stores and models have no entities of their own, which could grow without bounds, and are in UTF-8:
    /// the parser of Foundation on Linux traps on a name in anything else, and in another encoding a
    /// declaration would not be found.
    package static func problem(of data: Data) -> String? {
        guard String(validating: data, as: UTF8.self) != nil, data.range(of: Data([0])) == nil else {
            return "it is no UTF-8"
        }
        if data.range(of: Data("<!ENTITY".utf8)) != nil { return "it declares entities" }
        if let encoding = declaredEncoding(of: data), !encodings.contains(encoding.lowercased()) {
            return "it is in the encoding \(encoding)"
        }
        return nil
    }

    /// What is UTF-8 in each of these means the same in UTF-8.
    private static let encodings: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii"]

    private static func declaredEncoding(of data: Data) -> String? {
        guard let end = data.range(of: Data("?>".utf8)) else { return nil }
        let declaration = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        guard declaration.hasPrefix("<?xml") || declaration.hasPrefix("\u{FEFF}<?xml"),
            let name = declaration.range(of: "encoding")
        else { return nil }
        let quotes: Set<Character> = ["\"", "'"]
        return declaration[name.upperBound...].drop { !quotes.contains($0) }.dropFirst()
            .prefix { !quotes.contains($0) }.description
    }
}
