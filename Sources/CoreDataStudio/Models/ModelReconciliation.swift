import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource

/// One model made of two that come from a third: the edits here, and those that another program has saved.
struct ModelReconciliation {
    let package: ModelPackage
    let conflicts: [MergeConflict]

    /// Merges version by version. Where both sides contradict each other, the model is as in ours.
    init(base: ModelPackage, ours: ModelPackage, theirs: ModelPackage) throws {
        var versions: [ModelVersion] = []
        var conflicts: [MergeConflict] = []
        let names = Set(ours.versions.map(\.name)).union(theirs.versions.map(\.name))
        for name in names.sorted() {
            let former = base.version(named: name)?.document
            let (own, other) = (ours.version(named: name)?.document, theirs.version(named: name)?.document)
            switch (own, other) {
            case (let own?, let other?):
                let merge = try Self.merge(former, own, other)
                versions.append(ModelVersion(name: name, document: merge.document))
                conflicts += merge.conflicts
            case (let present?, nil), (nil, let present?):
                // A version that one side removed is gone, unless the other side has changed it.
                if present == former { continue }
                versions.append(ModelVersion(name: name, document: present))
                if former != nil {
                    let (mine, yours) = (
                        own == nil ? "removed" : "changed", other == nil ? "removed" : "changed"
                    )
                    conflicts.append(
                        MergeConflict(
                            path: "", setting: "version \(name)", base: "there", ours: mine, theirs: yours))
                }
            case (nil, nil): break
            }
        }
        let (former, own, other) = (
            base.currentVersionName, ours.currentVersionName, theirs.currentVersionName
        )
        var current = own == former ? other : own
        if Set([former, own, other]).count == 3 {
            conflicts.append(
                MergeConflict(
                    path: "", setting: "current version", base: former, ours: own, theirs: other))
        }
        if !versions.contains(where: { $0.name == current }) {
            current = versions.contains { $0.name == other } ? other : versions[0].name
        }
        package = try ModelPackage(
            name: ours.name, versions: versions, currentVersionName: current, isVersioned: ours.isVersioned,
            assumesCurrentVersion: ours.assumesCurrentVersion && theirs.assumesCurrentVersion)
        self.conflicts = conflicts
    }

    private static func merge(
        _ base: ModelDocument?, _ ours: ModelDocument, _ theirs: ModelDocument
    ) throws -> (document: ModelDocument, conflicts: [MergeConflict]) {
        if ours == theirs || theirs == base { return (ours, []) }
        if ours == base { return (theirs, []) }
        let merge = try ModelMerge(base: base ?? ModelDocument(), ours: ours, theirs: theirs)
        return (merge.document, merge.conflicts)
    }
}
