/// Lines of Swift source with their indentation.
package struct SourceWriter {
    private(set) var lines: [String] = []
    private var depth = 0

    package var text: String { lines.joined(separator: "\n") + "\n" }
    package var isEmpty: Bool { lines.isEmpty }

    package mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Writes a head with a body in braces.
    ///
    /// - Parameter arguments: The parameters of a closure.
    package mutating func block(
        _ head: String, arguments: String? = nil, _ body: (inout SourceWriter) -> Void
    ) {
        line(head + " {" + (arguments.map { " \($0) in" } ?? ""))
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Writes the body inside the `#if` conditions under which a declaration is compiled.
    package mutating func under(_ conditions: [String], _ body: (inout SourceWriter) -> Void) {
        guard !conditions.isEmpty else { return body(&self) }
        line("#if " + conditions.joined(separator: " && "))
        body(&self)
        line("#endif")
    }
}
