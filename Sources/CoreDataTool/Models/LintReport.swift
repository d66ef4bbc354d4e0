import CoreDataModelFormat

/// What is wrong or doubtful in every version of a model, as compilers say it.
package struct LintReport: Sendable, Hashable {
    /// `path:12: warning: Book.title: …`
    package let lines: [String]
    package let hasErrors: Bool

    /// - Parameter name: what stands for the file where there is none, as in a store.
    package init(_ source: ModelSource, named name: String) throws {
        let diagnostics = try source.package().versions.flatMap { $0.lint() }
        lines = diagnostics.map { Self.line($0, defaultFile: name) }
        hasErrors = diagnostics.contains { $0.severity == .error }
    }

    private static func line(_ diagnostic: Diagnostic, defaultFile: String) -> String {
        var place = diagnostic.file ?? defaultFile
        if let line = diagnostic.line { place += ":\(line)" + (diagnostic.column.map { ":\($0)" } ?? "") }
        let (path, message) = (diagnostic.elementPath, diagnostic.message)
        let subject = path.isEmpty || message.hasPrefix(path) ? "" : "\(path): "
        return "\(place): \(diagnostic.severity.rawValue): \(subject)\(message)"
    }
}
