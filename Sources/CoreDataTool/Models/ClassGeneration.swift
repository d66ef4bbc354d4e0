import CoreDataCodegen
package import CoreDataModelFormat
import Foundation

/// Swift classes for the entities of a model: what the plugin writes when it builds a target with the model.
package struct ClassGeneration {
    /// What is generated for every entity, instead of what the model asks for. Compiled models and stores have no say
    /// in it.
    package enum Style: String, Sendable, CaseIterable {
        case `class`
        case category

        fileprivate var codeGeneration: EntityElement.CodeGeneration {
            switch self {
            case .class: .class
            case .category: .category
            }
        }
    }

    private let document: ModelDocument
    private let module: String

    /// - Parameter style: nil for what the model asks for.
    package init(_ document: ModelDocument, module: String, style: Style? = nil) {
        self.module = module
        self.document = style.map { Self.restyled(document, $0, module) } ?? document
    }

    /// An entity without a class gets one of its own name.
    private static func restyled(_ document: ModelDocument, _ style: Style, _ module: String) -> ModelDocument
    {
        var document = document
        for index in document.entities.indices {
            let name = document.entities[index].className ?? ""
            if name.isEmpty || name == "NSManagedObject" {
                document.entities[index].className = document.entities[index].name
            }
            document.entities[index].codeGeneration = style.codeGeneration
        }
        return document
    }

    /// The text of one Swift file.
    ///
    /// - Parameter sources: the module's own sources, by path: they declare the classes that are extended.
    /// - Throws: An error that lists what is wrong with the model, or names the place of a source that cannot be read.
    package func text(with sources: [String: String] = [:]) throws(ToolError) -> String {
        let texts = sources.sorted { $0.key < $1.key }.map { SourceText(path: $0.key, text: $0.value) }
        let files: [ScannedFile]
        do throws(UnreadableSource) {
            files = try texts.map(DeclarationReader.read)
        } catch {
            throw ToolError(error.description)
        }
        let library = ModuleLibrary(target: ModuleIndex(name: module, files: files))
        let output = SourceGenerator(library: library, documents: [document]).generate()
        if let text = output.text { return text }
        let errors = output.diagnostics.filter { $0.severity == .error }
        throw ToolError(errors.map { "\($0.elementPath): \($0.message)" }.joined(separator: "\n"))
    }
}
