import Foundation

/// The property names behind key paths.
package enum KeyPathNames {
    /// Returns the name behind a key path.
    ///
    /// Traps if the key path does not lead to a property of a model.
    static func name(of keyPath: AnyKeyPath) -> String {
        if let name = knownName(of: keyPath) { return name }
        programmerError(
            "The key path \(keyPath) has no known property name: apply the plugin to the target that declares the "
                + "property, or use a string key.")
    }

    package static func knownName(of keyPath: AnyKeyPath) -> String? {
        if type(of: keyPath).valueType is any ObjectStandIn.Type { return "self" }
        if let name = ManagedClasses.name(of: keyPath) ?? path(of: keyPath) { return name }
        let text = "\(keyPath)"
        guard text.hasPrefix("\\"), let dot = text.firstIndex(of: "."), !text.contains("computed") else {
            return nil
        }
        return String(text[text.index(after: dot)...]).replacingOccurrences(of: "?", with: "")
    }

    // MARK: Paths

    /// Returns the names along a key path over several properties, `\Book.author?.name`.
    ///
    /// Swift prints each step to a computed property as the address of its getter, which it also prints for
    /// the key path to that property alone.
    private static func path(of keyPath: AnyKeyPath) -> String? {
        let steps = getters(of: keyPath)
        guard steps.count > 1 else { return nil }
        var names: [String: String] = [:]
        for (known, name) in ManagedClasses.namesOfKeyPaths {
            let getters = getters(of: known)
            if getters.count == 1 { names[getters[0]] = name }
        }
        let path = steps.compactMap { names[$0] }
        guard path.count == steps.count else { return nil }
        let name = path.joined(separator: ".")
        ManagedClasses.register(keyPath: keyPath, name: name)
        return name
    }

    /// Returns the addresses of the getters along a path; empty if any step is not a computed property.
    private static func getters(of keyPath: AnyKeyPath) -> [String] {
        let step = /<computed (0x[0-9a-f]+) \(.*?\)>/
        let text = "\(keyPath)".drop { $0 != "." }
        let rest = text.replacing(step, with: "")
        guard rest.allSatisfy("?!.".contains) else { return [] }
        return text.matches(of: step).map { String($0.1) }
    }
}
