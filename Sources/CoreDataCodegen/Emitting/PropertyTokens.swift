/// The tokens by which accessors name their property to the framework: one enum for a class, one static
/// constant for a property, whose slot is looked up once.
package struct PropertyTokens {
    /// Per class, the key of each constant.
    private var keys: [[String]: [String: String]] = [:]

    /// The expression for the token of a declaration of that name.
    package static func expression(_ name: String, of path: [String]) -> String {
        "\(enumName(path)).\(NameEscaping.escaped(name))"
    }

    /// The expression for the token of a property, which is written out by `emit`.
    package mutating func token(_ property: String, of path: [String]) -> String {
        token(property, key: property, of: path)
    }

    /// The expression for the token of a declaration that stands for a property of another name: a token of its
    /// own, since a token remembers what fits the declared type.
    package mutating func token(_ name: String, key: String, of path: [String]) -> String {
        keys[path, default: [:]][name] = key
        return Self.expression(name, of: path)
    }

    /// - Parameter isShared: whether other files of the module name tokens.
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
