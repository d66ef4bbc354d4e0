package import Foundation

/// A check of XML that another program wrote, before it is parsed.
package enum ForeignXML {
    /// Returns why the data must not be parsed, as a sentence; nil if it may be.
    ///
    /// Stores and models declare no XML entities, whose expansion can grow without bounds, and are in UTF-8.
    /// The parser of Foundation on Linux traps on a name in another encoding, and in such a file a
    /// declaration of entities would not be found here.
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

    /// The names of the accepted encodings. Valid UTF-8 has the same meaning in each.
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
