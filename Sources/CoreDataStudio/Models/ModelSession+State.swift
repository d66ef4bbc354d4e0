import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import Foundation

/// The state of a session as the page gets it.
extension ModelSession {
    /// Returns the version of a name; that of the current version without one.
    func version(_ name: String?) throws(StudioFailure) -> EditedVersion {
        guard let name else { return editor.state.current }
        guard let version = editor.state.version(named: name) else {
            throw StudioFailure(.notFound, "the model has no version \"\(name)\"")
        }
        return version
    }

    /// The model in the list of documents.
    var summary: JSONValue {
        let problems = diagnostics(of: editor.state.current).count
        return .object([
            .init("id", .string(id)), .init("name", .string(name)), .init("path", .string(url.path)),
            .init("changes", .integer(Int64(unsaved.count))), .init("problems", .integer(Int64(problems))),
        ])
    }

    /// Returns everything about a version.
    func state(of version: EditedVersion) -> JSONValue {
        let elements = elements(of: version)
        return .object(
            common(version) + [
                .init("diagnostics", .array(diagnostics(of: version).map { $0.json(elements.ids) })),
                .init("elements", elements.all), .init("facets", ElementJSON.facets),
                .init("isVersioned", .boolean(editor.isVersioned)), .init("name", .string(name)),
                .init("path", .string(url.path)),
            ])
    }

    /// Returns what is another than in a former state. If that did not have the version, everything.
    ///
    /// - Parameter known: The diagnostics of the version that the page has; nil if it may have others.
    func changes(of name: String?, since former: ModelState, knowing known: [Diagnostic]?) -> JSONValue {
        let present = name.flatMap { editor.state.version(named: $0) }
        guard let present, let old = former.version(named: present.name), old.root.id == present.root.id
        else {
            return state(of: present ?? editor.state.current)
        }
        let (before, now) = (elements(of: old), elements(of: present))
        let diagnostics = diagnostics(of: present)
        let areKnown = diagnostics == known && now.ids == before.ids
        return .object(
            common(present) + now.changes(since: before)
                + (areKnown ? [] : [.init("diagnostics", .array(diagnostics.map { $0.json(now.ids) }))])
                + [.init("isPartial", .boolean(true))])
    }

    private func common(_ version: EditedVersion) -> [JSONValue.Member] {
        [
            .init("revision", .integer(Int64(editor.revision))), .init("version", .string(version.name)),
            .init("model", version.root.id.json), .init("isReadOnly", .boolean(isReadOnly)),
            .init("versions", .array(editor.state.versions.map(json))),
            .init("undo", editor.lastStep.map { .string($0.title) } ?? .null),
            .init("redo", editor.nextStep.map { .string($0.title) } ?? .null),
            .init("unsaved", .array(unsaved.map { .string($0) })),
            .init("conflicts", .array(conflicts.map(\.json))),
            .init("trouble", trouble.map { .string($0) } ?? .null),
            .init("recovery", recoveryOffer),
        ]
    }

    /// Whether the package names a version as the current one, so that there is no need to choose it.
    private func isCurrent(_ version: EditedVersion) -> Bool {
        version.name == editor.state.currentVersionName && !editor.state.assumesCurrentVersion
    }

    private func json(_ version: EditedVersion) -> JSONValue {
        let predecessor = editor.state.predecessor(of: version)?.name
        let diagnostics = diagnostics(of: version)
        let errors = diagnostics.count { $0.severity == .error }
        return .object([
            .init("name", .string(version.name)), .init("model", version.root.id.json),
            .init("isCurrent", .boolean(isCurrent(version))),
            .init("isUnsaved", .boolean(isUnsaved(version))),
            .init("predecessor", predecessor.map { .string($0) } ?? .null),
            .init("errors", .integer(Int64(errors))),
            .init("warnings", .integer(Int64(diagnostics.count - errors))),
        ])
    }

    /// The edits that a former program left behind, by the changes that they are.
    private var recoveryOffer: JSONValue {
        guard let offer = offers.first else { return .null }
        return .object([
            .init("date", .double(offer.date.timeIntervalSince1970)),
            .init(
                "changes", .array(ChangeList(from: offer.base, to: offer.edited).lines.map { .string($0) })),
        ])
    }
}

extension Diagnostic {
    /// Returns the diagnostic with the ID of its element, or of the closest enclosing one that there is.
    func json(_ ids: [String: ElementID]) -> JSONValue {
        var path = Substring(elementPath)
        while ids[String(path)] == nil, !path.isEmpty {
            path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
        }
        return .object([
            .init("element", ids[String(path)]?.json ?? .null), .init("path", .string(elementPath)),
            .init("severity", .string(severity.rawValue)), .init("message", .string(message)),
            .init("facet", facet.map { .string($0) } ?? .null),
        ])
    }
}

extension MergeConflict {
    var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            .init("path", .string(path)), .init("setting", text(setting)), .init("base", text(base)),
            .init("ours", text(ours)), .init("theirs", text(theirs)), .init("text", .string(self.text)),
        ])
    }
}
