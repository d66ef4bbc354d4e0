/// An error or warning about a model or a source file, with the position for a build log, a tool or an
/// editor.
package struct Diagnostic: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        case warning
        case error
    }

    package var severity: Severity
    /// The path of the element, as in `Invoice.lines`; empty for the whole model.
    package var elementPath: String
    package var message: String
    /// The name of the setting that is wrong, as in commands, such as `deleteRule`; nil for no single one.
    package var facet: String?
    package var file: String?
    package var line: Int?
    package var column: Int?

    package init(
        _ severity: Severity,
        at elementPath: String = "",
        _ message: String,
        facet: String? = nil,
        file: String? = nil,
        line: Int? = nil,
        column: Int? = nil
    ) {
        self.severity = severity
        self.elementPath = elementPath
        self.message = message
        self.facet = facet
        self.file = file
        self.line = line
        self.column = column
    }

    /// Returns the diagnostic as compilers print it: `path:12: warning: Book.title: …`.
    ///
    /// - Parameter defaultFile: The path to print where the diagnostic names no file.
    package func line(defaultFile: String? = nil) -> String {
        var location = file ?? defaultFile ?? ""
        if let line { location += ":\(line)" + (column.map { ":\($0)" } ?? "") }
        let subject = elementPath.isEmpty || message.hasPrefix(elementPath) ? "" : "\(elementPath): "
        return "\(location): \(severity.rawValue): \(subject)\(message)"
    }
}
