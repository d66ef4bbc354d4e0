package import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// A change that removes a problem which the linter finds.
package struct Fix: Sendable, Hashable {
    /// The name in commands, such as `addInverse`.
    package let name: String
    /// The change in words, such as "add the inverse Book.author".
    package let title: String
    package let commands: [DocumentCommand]

    init(_ name: String, _ title: String, _ commands: DocumentCommand...) {
        self.name = name
        self.title = title
        self.commands = commands
    }
}

extension ModelEditor {
    /// Returns the fixes for a problem, the best first.
    ///
    /// A fix is offered only if it was tried and the problem is gone with it, and no error has come instead.
    ///
    /// - Parameter version: The version that the problem is of; nil for the current one.
    package func fixes(for diagnostic: Diagnostic, in version: String? = nil) -> [Fix] {
        let version = state.version(named: version ?? state.currentVersionName)
        return version.map { DocumentEdit($0, predecessor: nil, ElementNumbering()).fixes(for: diagnostic) }
            ?? []
    }
}

extension DocumentEdit {
    mutating func applyFix(_ name: String, of address: ElementAddress) throws(Refusal.Reason) {
        let place = try version.place(of: address)
        let path = document.path(of: place)
        let fixes = ModelLinter(document).lint().filter { $0.elementPath == path }.flatMap(fixes)
        guard let fix = fixes.first(where: { $0.name == name }) else {
            throw .noSuchFix(name, Set(fixes.map(\.name)).sorted())
        }
        for command in fix.commands { try perform(command) }
    }

    fileprivate func fixes(for diagnostic: Diagnostic) -> [Fix] {
        guard let place = document.place(at: diagnostic.elementPath) else { return [] }
        let id = version.id(at: place)
        let before = ModelLinter(document).lint()
        return FixRules.fixes(of: place, in: document).filter { fix in
            var trial = self
            do throws(Refusal.Reason) {
                for command in fix.commands { try trial.perform(command) }
                try trial.requireBounds(since: document)
            } catch {
                return false
            }
            let after = ModelLinter(trial.document).lint()
            // The problem is not gone if it is only that of an element that has another name now.
            let paths = [diagnostic.elementPath, trial.version.path(of: id) ?? diagnostic.elementPath]
            return after.count(of: diagnostic, at: Set(paths)) < before.count(of: diagnostic, at: Set(paths))
                && after.count { $0.severity == .error } <= before.count { $0.severity == .error }
        }
    }
}

extension [Diagnostic] {
    /// Returns how often a problem is found at elements with some paths.
    fileprivate func count(of problem: Diagnostic, at paths: Set<String>) -> Int {
        count { other in
            other.severity == problem.severity && paths.contains(other.elementPath)
                && other.messageWithoutPath == problem.messageWithoutPath
        }
    }
}

extension Diagnostic {
    fileprivate var messageWithoutPath: String { message.replacingOccurrences(of: elementPath, with: "") }
}
