import Foundation

/// Property names behind key paths.
enum KeyPathNames {
    /// Traps for a key path to what is no property of a model.
    static func name(of keyPath: AnyKeyPath) -> String {
        if let name = knownName(of: keyPath) { return name }
        programmerError(
            "The key path \(keyPath) has no known property name: apply the plugin to the target that declares the "
                + "property, or use a string key.")
    }

    static func knownName(of keyPath: AnyKeyPath) -> String? {
        if let name = ManagedClasses.name(of: keyPath) { return name }
        let text = "\(keyPath)"
        guard text.hasPrefix("\\"), let dot = text.firstIndex(of: "."), !text.contains("computed") else {
            return nil
        }
        return String(text[text.index(after: dot)...]).replacingOccurrences(of: "?", with: "")
    }
}
