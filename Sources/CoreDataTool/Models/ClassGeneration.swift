import CoreDataCodegen
package import CoreDataModelFormat
import Foundation

/// The Swift classes for the entities of a model, as the plugin generates them when it builds a target with
/// the model.
package struct ClassGeneration {
    /// The kind of code for every entity. It replaces the model's settings, which compiled models and stores
    /// do not contain.
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

    /// Prepares the code generation for a module.
    ///
    /// - Parameter style: The kind of code for every entity; nil for the model's settings.
    package init(_ document: ModelDocument, module: String, style: Style? = nil) {
        self.module = module
        self.document = style.map { Self.restyled(document, $0, module) } ?? document
    }

    /// Returns the model with one setting for every entity. An entity without a class gets a class with the
    /// entity's name.
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

    /// Returns the text of one Swift file.
    ///
    /// - Parameter sources: The module's own sources by path. They declare the classes that are extended.
    /// - Throws: A `ToolError` that lists the errors in the model, or contains the position of source code
    ///   that cannot be read.
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
