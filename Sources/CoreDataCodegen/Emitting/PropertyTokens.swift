/// The tokens by which accessors name their property to the framework: one enum for a class, one static
/// constant for a property, whose slot is looked up once.
package struct PropertyTokens {
    private var names: [[String]: Set<String>] = [:]

    /// The expression for the token of a property, which is written out by `emit`.
    package mutating func token(_ property: String, of path: [String]) -> String {
        names[path, default: []].insert(property)
        return "\(Self.enumName(path)).\(NameEscaping.escaped(property))"
    }

    package func emit(into writer: inout SourceWriter) {
        for (path, properties) in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.line()
            writer.block("nonisolated private enum \(Self.enumName(path))") { writer in
                for property in properties.sorted() {
                    let name = NameEscaping.escaped(property)
                    writer.line("static let \(name) = ManagedProperty(\"\(property)\")")
                }
            }
        }
    }

    private static func enumName(_ path: [String]) -> String { path.joined(separator: "_") + "_properties" }
}
