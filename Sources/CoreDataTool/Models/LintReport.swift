import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource

/// The diagnostics of every version of a model, as compilers print them.
package struct LintReport: Sendable, Hashable {
    /// The diagnostics, such as `path:12: warning: Book.title: …`.
    package let lines: [String]
    package let hasErrors: Bool

    /// Lints every version.
    ///
    /// - Parameters:
    ///   - name: The name to print if there is no file, as for a store.
    ///   - showsFixes: Whether each diagnostic is followed by what `coredata model edit` can do about it.
    package init(_ source: ModelSource, named name: String, showsFixes: Bool = false) throws {
        let package = try source.package()
        let editor = showsFixes ? ModelEditor(package) : nil
        var lines: [String] = []
        var hasErrors = false
        for version in package.versions {
            for diagnostic in version.lint() {
                lines.append(diagnostic.line(defaultFile: name))
                hasErrors = hasErrors || diagnostic.severity == .error
                let fixes = editor?.fixes(for: diagnostic, in: version.name) ?? []
                lines += fixes.map { "  fix \($0.name): \($0.title)" }
            }
        }
        self.lines = lines
        self.hasErrors = hasErrors
    }
}
