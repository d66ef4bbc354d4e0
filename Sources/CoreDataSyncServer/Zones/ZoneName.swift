/// The name of a zone: whose it is, and what the owner calls it.
package struct ZoneName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let owner: String
    package let name: String

    /// Makes a name; nil if a part is empty, too long, or the name has other characters than letters and
    /// digits of ASCII, `.`, `-` and `_`, or begins with a period.
    package init?(owner: String, name: String) {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard allowed, !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix("."),
            UserName.isAllowed(owner)
        else { return nil }
        self.owner = owner
        self.name = name
    }

    /// Reads `owner:name`, or `name` alone for a zone of the caller's own.
    package init?(_ text: String, caller: String) {
        // Owners may have colons, names have none.
        guard let colon = text.lastIndex(of: ":") else {
            self.init(owner: caller, name: text)
            return
        }
        self.init(owner: String(text[..<colon]), name: String(text[text.index(after: colon)...]))
    }

    package var description: String { "\(owner):\(name)" }

    /// Returns the name as a caller writes it.
    package func text(for caller: String) -> String { owner == caller ? name : description }

    package static func < (first: ZoneName, second: ZoneName) -> Bool {
        (first.owner, first.name) < (second.owner, second.name)
    }
}

/// The rule for names of users, which come from tokens.
package enum UserName {
    /// Whether a name is neither empty nor long, and has no characters that would break a line of a log.
    package static func isAllowed(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x2028 }
    }
}
