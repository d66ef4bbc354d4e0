import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

extension ModelEditor {
    /// An editor of a model without a package.
    init(_ document: ModelDocument = .empty) {
        self.init(named: "Model", document)
    }

    /// An editor of a package with one version.
    init(named name: String, _ document: ModelDocument, isVersioned: Bool = true) {
        // The only version is the current one.
        self.init(
            try! ModelPackage(
                name: name, versions: [ModelVersion(name: name, document: document)],
                currentVersionName: name,
                isVersioned: isVersioned))
    }

    var document: ModelDocument { state.current.document }

    /// Carries out commands on the current version.
    @discardableResult
    mutating func edit(_ commands: DocumentCommand...) throws -> Outcome {
        try perform(commands.map { .edit($0, version: nil) })
    }

    /// Carries out commands given as JSON, without the brackets of the list.
    @discardableResult
    mutating func edit(json: String) throws -> Outcome {
        try perform(ModelCommand.commands(in: JSONParser.parse("[\(json)]")))
    }

    /// The reason why commands on the current version are refused; nil if they are carried out.
    func refusal(of commands: DocumentCommand...) -> Refusal.Reason? {
        var copy = self
        do throws(Refusal) {
            try copy.perform(commands.map { .edit($0, version: nil) })
            return nil
        } catch {
            return error.reason
        }
    }

    /// The files of the versions, by name.
    var contents: [String: Data] {
        Dictionary(
            uniqueKeysWithValues: state.versions.map { ($0.name, ModelWriter($0.document).contents()) })
    }

    subscript(entity name: String) -> EntityElement {
        document.entities.first { $0.name == name } ?? EntityElement(name: "missing")
    }
}

extension ModelDocument {
    /// A document as an editor writes it that has no elements yet.
    static let empty = ModelDocument(
        editorAttributes: ["type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0"])

    /// The document that one finds in the file with these contents.
    static func reading(_ contents: Data) throws -> ModelDocument {
        try XMLModelParser(file: "contents").parse(contents).document
    }
}
