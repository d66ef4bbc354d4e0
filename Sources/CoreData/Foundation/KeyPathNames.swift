import Foundation
import Synchronization

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
        if let name = ManagedClasses.name(of: keyPath) { return name }
        if type(of: keyPath).valueType is any ObjectStandIn.Type { return "self" }
        if let name = path(of: keyPath) { return name }
        switch reader.withLock({ $0 })?(keyPath) {
        case .property(let name):
            ManagedClasses.register(keyPath: keyPath, name: name)
            return name
        case .other: return nil
        case nil: break
        }
        let text = "\(keyPath)"
        guard text.hasPrefix("\\"), let dot = text.firstIndex(of: "."), !text.contains("computed") else {
            return nil
        }
        return String(text[text.index(after: dot)...]).replacingOccurrences(of: "?", with: "")
    }

    // MARK: Models that are no managed objects

    /// The place to which a key path leads.
    package enum Target {
        /// A property that a store has, or a path of names to one.
        case property(String)
        /// Anything else: a sentence says what.
        case other(String)
    }

    /// A function that tells where a key path leads; nil for a key path of no model.
    package typealias Reader = @Sendable (AnyKeyPath) -> Target?

    private static let reader = Mutex<Reader?>(nil)

    /// Sets the function that is asked for key paths that no table has.
    package static func read(by function: @escaping Reader) { reader.withLock { $0 = function } }

    /// Returns why a key path without a name has none.
    package static func reason(of keyPath: AnyKeyPath) -> String {
        if case .other(let reason) = reader.withLock({ $0 })?(keyPath) { return reason }
        return "\(keyPath) is no property of a model"
    }

    // MARK: Paths

    /// Returns the names along a key path over several properties, `\Book.author?.name`.
    ///
    /// Swift prints each step to a computed property as the address of its getter, which it also prints for
    /// the key path to that property alone, and a step to a stored property as its name.
    private static func path(of keyPath: AnyKeyPath) -> String? {
        let steps = steps(of: keyPath)
        guard steps.count > 1 else { return nil }
        var names: [String: String] = [:]
        for (known, name) in ManagedClasses.namesOfKeyPaths {
            let steps = self.steps(of: known)
            if case .getter(let address)? = steps.first, steps.count == 1 { names[address] = name }
        }
        var path: [String] = []
        for step in steps {
            switch step {
            case .name(let name): path.append(name)
            case .getter(let address):
                guard let name = names[address] else { return nil }
                if !name.isEmpty { path.append(name) }
            }
        }
        let name = path.joined(separator: ".")
        ManagedClasses.register(keyPath: keyPath, name: name)
        return name
    }

    private enum Step {
        /// The address of the getter of a computed property.
        case getter(String)
        /// The name of a stored property.
        case name(String)
    }

    /// Returns the steps of a path that begins with a computed property; empty if any is of another kind.
    private static func steps(of keyPath: AnyKeyPath) -> [Step] {
        let step = /\.<computed (0x[0-9a-f]+) \(.*?\)>|\.([\p{L}_][\p{L}\p{N}_]*)/
        let text = "\(keyPath)".drop { $0 != "." }
        guard text.hasPrefix(".<computed"), text.replacing(step, with: "").allSatisfy("?!".contains) else {
            return []
        }
        return text.matches(of: step).map { match in
            match.1.map { .getter(String($0)) } ?? .name(String(match.2 ?? ""))
        }
    }
}
