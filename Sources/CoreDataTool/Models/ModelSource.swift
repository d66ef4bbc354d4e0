import CoreDataEditing
package import CoreDataModelFormat
package import CoreDataModelSource
package import Foundation

/// A model named on a command line: a model file, or a store that contains a model.
package struct ModelSource {
    private let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    private var isModelFile: Bool {
        isSource || ["momd", "mom"].contains(url.pathExtension)
    }

    /// Whether it has the settings for generated code, which compiled models and stores do not contain.
    package var isSource: Bool {
        ["xcdatamodeld", "xcdatamodel", ModelReader.textExtension].contains(url.pathExtension)
            || url.lastPathComponent == "contents"
    }

    /// Reads all versions. A store has one version, with the name of the store.
    package func package() throws -> ModelPackage {
        if isModelFile { return try ModelPackage.read(at: url) }
        let store = try OpenedStore(at: url)
        guard let document = store.model?.document else {
            throw ToolError(
                store.damage.model.map { "\(url.place): \($0)" }
                    ?? "\(url.place) carries no model: \(OpenedStore.storesWithoutModel)")
        }
        let name = url.deletingPathExtension().lastPathComponent
        return try ModelPackage(
            name: name, versions: [ModelVersion(name: name, document: document)], currentVersionName: name,
            isVersioned: false)
    }

    /// Returns a version in compiled form, in which each setting has only one spelling. A source that cannot
    /// be compiled is returned unchanged.
    ///
    /// - Parameter other: A compiled model. Its class names show which module a leading dot stands for.
    package func compiledDocument(of name: String? = nil, like other: ModelDocument) throws -> ModelDocument {
        let document = try document(of: name)
        let classNames = Dictionary(other.entities.map { ($0.name, $0.className ?? "") }) { first, _ in first
        }
        let module = document.entities.lazy.compactMap { entity -> String? in
            guard let own = entity.className, own.hasPrefix("."), let theirs = classNames[entity.name],
                theirs.hasSuffix(own)
            else { return nil }
            return String(theirs.dropLast(own.count))
        }.first
        let writer = CompiledModelWriter(document, moduleName: module)
        guard isSource, let compiled = try? writer.mom() else { return document }
        return try CompiledModelReader().read(compiled).document
    }

    /// Returns a version of the model.
    ///
    /// - Parameter name: The name of the version; nil for the current one.
    package func document(of name: String? = nil) throws -> ModelDocument {
        let package = try package()
        guard let name else { return package.current.document }
        if let version = package.version(named: name) { return version.document }
        let names = package.versions.map(\.name).joined(separator: ", ")
        throw ToolError("\(url.place) has no version \"\(name)\"; it has \(names)")
    }

    /// Returns the text form, which `ModelTextReader` reads, without the line break at its end.
    ///
    /// - Parameter name: The name of a version; nil for all of them.
    package func text(of name: String? = nil) throws -> String {
        let text =
            try name.map { try ModelTextPrinter(document(of: $0)).text }
            ?? ModelTextPrinter.text(of: package())
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The places of entities in the `.layout.json` of the package; nil if it has none.
    var positions: GraphPositionsFile? {
        let file = url.appendingPathComponent(GraphPositionsFile.name)
        return (try? Data(contentsOf: file)).flatMap(GraphPositionsFile.init)
    }
}
