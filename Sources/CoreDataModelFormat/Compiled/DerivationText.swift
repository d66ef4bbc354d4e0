/// The text of a derivation expression in the form that is hashed (version-hash, derived attribute).
enum DerivationText {
    /// `pages.@count` is the function call `count:(pages)`; a key path or a call is itself.
    static func hashed(_ text: String) -> String {
        var keys = text.split(separator: ".")
        guard let position = keys.firstIndex(where: { $0.hasPrefix("@") }), position > 0 else { return text }
        let function = keys.remove(at: position).dropFirst()
        return "\(function):(\(keys.joined(separator: ".")))"
    }
}
