import CoreDataModelFormat
import CoreDataModelSource

/// The diagnostics of every version of a model, as compilers print them.
package struct LintReport: Sendable, Hashable {
    /// The diagnostics, such as `path:12: warning: Book.title: …`.
    package let lines: [String]
    package let hasErrors: Bool

    /// Lints every version.
    ///
    /// - Parameter name: The name to print if there is no file, as for a store.
    package init(_ source: ModelSource, named name: String) throws {
        let diagnostics = try source.package().versions.flatMap { $0.lint() }
        lines = diagnostics.map { $0.line(defaultFile: name) }
        hasErrors = diagnostics.contains { $0.severity == .error }
    }
}
