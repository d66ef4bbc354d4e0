import CoreDataModelFormat
import CoreDataModelSource
import CoreDataTool

/// The changes between two states of a whole model in words, version by version.
struct ChangeList {
    let lines: [String]

    init(from old: ModelPackage, to new: ModelPackage) {
        var lines: [String] = []
        for version in new.versions {
            guard let former = old.version(named: version.name) else {
                lines.append("+ version \(version.name)")
                continue
            }
            guard former.document != version.document else { continue }
            let changes = ModelDiff(from: former.document, to: version.document).changes.map(\.text)
            let prefix = new.versions.count > 1 ? "\(version.name): " : ""
            lines +=
                changes.isEmpty
                ? ["\(prefix)~ order, positions or settings of the editor"] : changes.map { prefix + $0 }
        }
        lines += old.versions.filter { new.version(named: $0.name) == nil }.map { "- version \($0.name)" }
        if old.currentVersionName != new.currentVersionName {
            lines.append("~ current version \(old.currentVersionName) -> \(new.currentVersionName)")
        }
        self.lines = lines
    }
}
