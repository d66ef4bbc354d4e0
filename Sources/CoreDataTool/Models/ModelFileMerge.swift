import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// A merge of three versions of a model that are files, as version control keeps them.
package struct ModelFileMerge {
    /// The conflicts, one line for each.
    package let conflicts: [String]
    private let ours: (file: URL, content: Data)
    private let content: Data

    /// Merges three `contents` files of any name, or the folders that have one. An empty base stands for a
    /// model that both sides have added.
    package init(base: URL, ours: URL, theirs: URL) throws {
        let (former, own, other) = (try Self.read(base), try Self.read(ours), try Self.read(theirs))
        let (document, theirDocument) = (try Self.document(own), try Self.document(other))
        let merge = try ModelMerge(
            base: former.content.isEmpty ? ModelDocument() : Self.document(former), ours: document,
            theirs: theirDocument)
        conflicts = merge.conflicts.map(\.text)
        self.ours = own
        let merged = merge.marked
        // What is one of the sides keeps its bytes, also if it is not spelled as the editor spells it.
        content =
            merged == document
            ? own.content : merged == theirDocument ? other.content : ModelWriter(merged).contents()
    }

    /// Writes the merged model, with its conflicts marked, in the place of ours or to another file.
    package func write(to output: URL? = nil) throws {
        let files = ModelFileSystem()
        guard let output else {
            return try files.replace(ours.file, with: content, expecting: ours.content)
        }
        let file = Self.file(output)
        try files.replace(file, with: content, expecting: files.exists(file) ? files.read(file) : nil)
    }

    private static func file(_ url: URL) -> URL {
        ModelFileSystem().isDirectory(url) ? url.appendingPathComponent("contents") : url
    }

    private static func read(_ url: URL) throws -> (file: URL, content: Data) {
        let file = file(url)
        return (file, try ModelFileSystem().read(file))
    }

    private static func document(_ side: (file: URL, content: Data)) throws -> ModelDocument {
        try XMLModelParser(file: side.file.path).parse(side.content).document
    }
}
