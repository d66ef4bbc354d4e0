package import CoreDataModelFormat
import CoreDataModelSource

/// A merge of two versions of a model that were made of one, element by element and setting by setting.
///
/// Elements are matched by name, and renamed ones by their renaming identifiers, entities without one by their
/// properties, so that what one side says of an element follows the other side's renaming. The order of elements
/// is merged, too. Nothing that a side changed is lost: it is in the merged model, or in a conflict.
package struct ModelMerge: Sendable {
    /// The merged model. Where the sides contradict each other, it is as in ours.
    package let document: ModelDocument
    package let conflicts: [MergeConflict]

    package init(base: ModelDocument, ours: ModelDocument, theirs: ModelDocument) throws {
        let former = ModelWriter(base).element
        let nodes = [former, ModelWriter(ours).element, ModelWriter(theirs).element].map { source in
            MergeNodeReader(identities: MergeIdentities(source, base: former)).node(source)
        }
        var merge = NodeMerge()
        let merged = merge.merged(nodes[0], nodes[1], nodes[2])
        let form = ours.form == base.form ? theirs.form : ours.form
        let document = try ModelDocument(MergeNodeWriter(merged).element(merged), form: form)
        var conflicts = merge.conflicts
        if theirs.form != form, theirs.form != base.form {
            conflicts += Self.conflicts(base.form, form, theirs.form)
        }
        conflicts += Self.contradictions(in: document, ours, theirs)
        self.document = document
        self.conflicts = conflicts
    }

    private static func conflicts(
        _ base: SourceForm, _ ours: SourceForm, _ theirs: SourceForm
    ) -> [MergeConflict] {
        let parts: [(String, (SourceForm) -> String?)] = [
            ("text before", { $0.head }), ("text after", { $0.tail }), ("indentation", { $0.indentation }),
            ("carriage returns", { $0.endsLinesWithCarriageReturns ? "yes" : "no" }),
        ]
        return parts.filter { $0.1(ours) != $0.1(theirs) && $0.1(base) != $0.1(theirs) }.map { name, value in
            MergeConflict(
                path: "", setting: name, base: value(base), ours: value(ours), theirs: value(theirs))
        }
    }

    /// Returns the errors of the merged model that neither side has: changes of different settings that do
    /// not fit together, such as a reference to an entity that the other side has removed.
    private static func contradictions(
        in merged: ModelDocument, _ ours: ModelDocument, _ theirs: ModelDocument
    ) -> [MergeConflict] {
        let errors = { (document: ModelDocument) in
            ModelLinter(document).lint().filter { $0.severity == .error }
        }
        let known = Set((errors(ours) + errors(theirs)).map(\.message))
        return errors(merged).filter { !known.contains($0.message) }.map { error in
            MergeConflict(
                path: error.elementPath, setting: error.message, base: nil, ours: nil, theirs: nil)
        }
    }
}
