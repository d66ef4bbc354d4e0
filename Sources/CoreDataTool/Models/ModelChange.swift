package import CoreDataEditing
package import CoreDataJSON

/// A difference between two versions of a model.
package enum ModelChange: Sendable, Hashable {
    case added(ElementKind, path: String, [Facet])
    case removed(ElementKind, path: String)
    /// The renaming identifier of the new element is the old name.
    case renamed(ElementKind, from: String, to: String)
    case changed(ElementKind, path: String, facet: String, from: String?, to: String?)

    /// The path of the element in the newer version, such as `Book.title`; for a removed element, its path in
    /// the older version.
    package var path: String {
        switch self {
        case .added(_, let path, _), .removed(_, let path), .changed(_, let path, _, _, _): path
        case .renamed(_, _, let path): path
        }
    }

    package var subject: ElementKind {
        switch self {
        case .added(let subject, _, _), .removed(let subject, _), .renamed(let subject, _, _),
            .changed(let subject, _, _, _, _):
            subject
        }
    }

    /// The change in one line, which begins with `+`, `-`, `>` or `~`.
    package var text: String {
        switch self {
        case .added(let subject, let path, let facets):
            "+ \(subject.title) \(path)" + (facets.isEmpty ? "" : ": ")
                + facets.map(\.text).joined(separator: ", ")
        case .removed(let subject, let path): "- \(subject.title) \(path)"
        case .renamed(let subject, let old, let new): "> \(subject.title) \(new), which was \(old)"
        case .changed(let subject, let path, let facet, let old, let new):
            "~ \(subject.title) \(path): \(facet) \(Self.text(old, beside: new)) -> \(Self.text(new, beside: old))"
        }
    }

    /// Returns a value as text. The text of a missing value is the opposite for a flag and "none" otherwise.
    private static func text(_ value: String?, beside other: String?) -> String {
        value ?? (other == "yes" ? "no" : other == "no" ? "yes" : "none")
    }

    package var json: JSONValue {
        let (change, more): (String, [JSONValue.Member]) =
            switch self {
            case .added: ("added", [])
            case .removed: ("removed", [])
            case .renamed(_, let old, _): ("renamed", [.init("from", .string(old))])
            case .changed(_, _, let facet, let old, let new):
                (
                    "changed",
                    [
                        .init("facet", .string(facet)), .init("from", old.map { .string($0) } ?? .null),
                        .init("to", new.map { .string($0) } ?? .null),
                    ]
                )
            }
        return .object(
            [
                .init("change", .string(change)), .init("subject", .string(subject.title)),
                .init("path", .string(path)),
            ] + more)
    }
}
