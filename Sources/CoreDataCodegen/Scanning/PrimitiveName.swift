/// The naming rule of primitive accessors: `primitiveName` reads and writes `name` without notifications.
package enum PrimitiveName {
    /// Returns the key to which a primitive accessor refers; nil for any other name.
    package static func key(of name: String) -> String? {
        guard name.hasPrefix("primitive") else { return nil }
        let rest = name.dropFirst("primitive".count)
        guard let first = rest.first, first.isUppercase else { return nil }
        return AccessorKey.decapitalized(String(rest))
    }
}

/// The rule by which a part of an accessor's name gives the key of its property.
package enum AccessorKey {
    /// Returns the key for a capitalized part: `name` for `Name`. `URL` and `URLString` stay as they are,
    /// since key-value coding does not change acronyms.
    package static func decapitalized(_ part: String) -> String {
        let letters = Array(part)
        if letters.count > 1, letters[0].isUppercase, letters[1].isUppercase { return part }
        return part.prefix(1).lowercased() + part.dropFirst()
    }
}
