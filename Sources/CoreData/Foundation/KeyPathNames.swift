import Foundation

/// Property names behind key paths.
enum KeyPathNames {
    static func name(of keyPath: AnyKeyPath) -> String {
        if let name = ManagedClasses.name(of: keyPath) { return name }
        let text = "\(keyPath)"
        if text.hasPrefix("\\"), let dot = text.firstIndex(of: "."), !text.contains("computed") {
            return String(text[text.index(after: dot)...]).replacingOccurrences(of: "?", with: "")
        }
        programmerError(
            "The key path \(text) has no known property name: apply the plugin to the target that declares the "
                + "property, or use a string key.")
    }
}
