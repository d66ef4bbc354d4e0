import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// Commands carried out on a model package or a single model on disk.
package struct ModelEdit {
    private let url: URL
    private let files: PackageFiles
    private let opened: ModelPackage
    private var editor: ModelEditor

    /// Reads the model.
    package init(_ url: URL) throws {
        guard ModelSource(url).isSource, url.pathExtension != ModelReader.textExtension else {
            throw ToolError("\(url.place): only an .xcdatamodeld or .xcdatamodel can be edited")
        }
        self.url = url
        files = try PackageFiles.read(at: url)
        opened = try ModelPackage.read(at: url)
        editor = ModelEditor(opened)
    }

    /// Carries out commands, all or none.
    ///
    /// - Parameter text: A list of commands in JSON.
    package mutating func perform(_ text: String) throws {
        try editor.perform(ModelCommand.commands(in: JSONParser.parse(text)))
    }

    // MARK: Differences

    /// The changes in words; "no difference" if there are none.
    package var differences: String {
        let names = (old: opened.versions.map(\.name), new: editor.state.versions.map(\.name))
        var lines = names.old.filter { !names.new.contains($0) }.map { "- version \($0)" }
        lines += names.new.filter { !names.old.contains($0) }.map { "+ version \($0)" }
        if opened.currentVersionName != editor.state.currentVersionName {
            lines.append(
                "~ current version \(opened.currentVersionName) -> \(editor.state.currentVersionName)")
        } else if opened.assumesCurrentVersion, !editor.state.assumesCurrentVersion {
            lines.append("+ current version \(editor.state.currentVersionName)")
        }
        for version in editor.state.versions {
            let known = opened.version(named: version.name) != nil
            let formerName = known ? version.name : editor.state.predecessor(of: version)?.name
            let former = formerName.flatMap { opened.version(named: $0) }?.document
            guard let former, former != version.document else { continue }
            if names.new.count > 1 { lines.append("version \(version.name)") }
            let diff = ModelDiff(from: former, to: version.document)
            lines.append(diff.changes.isEmpty ? "~ order, positions or settings of the editor" : diff.text)
        }
        return lines.isEmpty ? "no difference" : lines.joined(separator: "\n")
    }

    // MARK: Writing

    /// Writes the versions that have changed, and leaves all other files alone. Throws if another program has
    /// changed them meanwhile.
    package func write() throws {
        try PackageSave(editor.package, over: files).perform(at: url)
    }
}
