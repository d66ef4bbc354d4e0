import CoreDataModelFormat

/// What is wrong or doubtful in every version of a model, as compilers say it.
package struct LintReport: Sendable, Hashable {
    /// `path:12: warning: Book.title: …`
    package let lines: [String]
    package let hasErrors: Bool

    /// - Parameter name: what stands for the file where there is none, as in a store.
    package init(_ source: ModelSource, named name: String) throws {
        let diagnostics = try source.package().versions.flatMap { $0.lint() }
        lines = diagnostics.map { $0.line(defaultFile: name) }
        hasErrors = diagnostics.contains { $0.severity == .error }
    }
}
