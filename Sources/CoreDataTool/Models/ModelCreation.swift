import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// A model package that is made anew, empty or from the text form of a model.
package struct ModelCreation {
    private let url: URL
    private let package: ModelPackage

    /// Prepares a package.
    ///
    /// - Parameters:
    ///   - url: The place of the package, an `.xcdatamodeld` that is not there yet.
    ///   - text: The text of the model; nil for an empty one.
    ///   - file: The path that errors in the text name.
    package init(at url: URL, from text: String? = nil, file: String = "") throws {
        guard url.pathExtension == "xcdatamodeld" else {
            throw ToolError("\(url.path): a new model must be named .xcdatamodeld")
        }
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw ToolError("\(url.path) is there already; nothing was written")
        }
        self.url = url
        let name = url.deletingPathExtension().lastPathComponent
        let package = try ModelTextReader(file: file).read(text ?? "", name: name)
        self.package = try ModelPackage(
            name: name, versions: package.versions.map(Self.completed),
            currentVersionName: package.currentVersionName)
    }

    /// Returns the version with the settings that the model editor gives a new model, if it has none.
    private static func completed(_ version: ModelVersion) -> ModelVersion {
        var document = version.document
        if document.editorAttributes.isEmpty {
            document.editorAttributes = [
                "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
                "lastSavedToolsVersion": "22758",
            ]
        }
        if document.versionIdentifiers.isEmpty { document.versionIdentifiers = [""] }
        return ModelVersion(name: version.name, document: document, locations: version.locations)
    }

    /// Writes the package.
    ///
    /// - Returns: The parts of the current version that a source cannot express, one line for each.
    package func write() throws -> [String] {
        try ModelPackageWriter(package).writeSource(to: url)
        return try ModelCompilation.losses(of: package, writtenTo: url, comparesCode: true)
    }
}
