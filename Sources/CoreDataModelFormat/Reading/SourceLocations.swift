/// Where the elements of a model stand in the file they were read from.
package struct SourceLocations: Sendable, Hashable {
    package var file: String?
    /// Line by element path: `Invoice`, `Invoice.lines`.
    package var lines: [String: Int]

    package init(file: String? = nil, lines: [String: Int] = [:]) {
        self.file = file
        self.lines = lines
    }

    /// `diagnostic` with its place filled in: that of its element, or of the closest element around it.
    package func locating(_ diagnostic: Diagnostic) -> Diagnostic {
        guard diagnostic.line == nil else { return diagnostic }
        var located = diagnostic
        located.file = diagnostic.file ?? file
        var path = Substring(diagnostic.elementPath)
        while !path.isEmpty, located.line == nil {
            located.line = lines[String(path)]
            path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
        }
        return located
    }
}
