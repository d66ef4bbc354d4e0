package import CoreDataModelFormat

/// The line numbers of a model's elements in the file that they were read from.
package struct SourceLocations: Sendable, Hashable {
    package var file: String?
    /// The line numbers by element path, such as `Invoice` or `Invoice.lines`.
    package var lines: [String: Int]

    package init(file: String? = nil, lines: [String: Int] = [:]) {
        self.file = file
        self.lines = lines
    }

    /// Returns the diagnostic with the file and line of its element, or of the closest enclosing element that
    /// has a line.
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
