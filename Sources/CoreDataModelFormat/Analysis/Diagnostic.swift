/// Something wrong with a model or a source file, said so that a build log, a tool and an editor can all
/// point at it.
package struct Diagnostic: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        case warning
        case error
    }

    package var severity: Severity
    /// The element: `Invoice.lines`, or empty for the whole model.
    package var elementPath: String
    package var message: String
    package var file: String?
    package var line: Int?
    package var column: Int?

    package init(
        _ severity: Severity,
        at elementPath: String = "",
        _ message: String,
        file: String? = nil,
        line: Int? = nil,
        column: Int? = nil
    ) {
        self.severity = severity
        self.elementPath = elementPath
        self.message = message
        self.file = file
        self.line = line
        self.column = column
    }

    /// As compilers say it: `path:12: warning: Book.title: …`. `defaultFile` stands for the file where there is none.
    package func line(defaultFile: String? = nil) -> String {
        var place = file ?? defaultFile ?? ""
        if let line { place += ":\(line)" + (column.map { ":\($0)" } ?? "") }
        let subject = elementPath.isEmpty || message.hasPrefix(elementPath) ? "" : "\(elementPath): "
        return "\(place): \(severity.rawValue): \(subject)\(message)"
    }
}
