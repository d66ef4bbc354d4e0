/// The tokens by which accessors name their property to the framework: one enum per class with one static
/// constant per property, whose slot is looked up once.
package struct PropertyTokens {
    /// The property key of each constant, by class.
    private var keys: [[String]: [String: String]] = [:]

    /// Returns the expression for the token of a declaration.
    package static func expression(_ name: String, of path: [String]) -> String {
        "\(enumName(path)).\(NameEscaping.escaped(name))"
    }

    /// Returns the expression for a property's token, and notes the token for `emit` to write.
    package mutating func token(_ property: String, of path: [String]) -> String {
        token(property, key: property, of: path)
    }

    /// Returns the expression for the token of a declaration that stands for a property of another name. The
    /// declaration has its own token, since a token caches what fits the declared type.
    package mutating func token(_ name: String, key: String, of path: [String]) -> String {
        keys[path, default: [:]][name] = key
        return Self.expression(name, of: path)
    }

    /// Writes the enums with the tokens noted so far.
    ///
    /// - Parameter isShared: Whether other files of the module use the tokens.
    package func emit(into writer: inout SourceWriter, isShared: Bool) {
        for (path, properties) in keys.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.line()
            writer.block("nonisolated \(isShared ? "" : "private ")enum \(Self.enumName(path))") { writer in
                for (name, key) in properties.sorted(by: { $0.key < $1.key }) {
                    writer.line("static let \(NameEscaping.escaped(name)) = ManagedProperty(\"\(key)\")")
                }
            }
        }
    }

    private static func enumName(_ path: [String]) -> String { path.joined(separator: "_") + "_properties" }
}
