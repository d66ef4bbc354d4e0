package import CoreDataModelFormat

/// The generator of the one Swift file that completes a module's models and hand-written sources.
///
/// After any error it returns no text.
package struct SourceGenerator {
    package struct Output: Sendable, Hashable {
        package var text: String?
        package var diagnostics: [Diagnostic]
    }

    private let library: ModuleLibrary
    private let documents: [ModelDocument]
    private let ported: PortedDeclarations?

    /// - Parameters:
    ///   - documents: The current version of each model.
    ///   - ported: The declarations of the ported texts that the compiler reads instead of the sources; nil
    ///     if it reads the sources.
    package init(library: ModuleLibrary, documents: [ModelDocument], ported: PortedDeclarations? = nil) {
        self.ported = ported
        self.library = library.generatingClasses(of: documents)
        self.documents = documents
    }

    package func generate() -> Output {
        let catalog = ManagedClassCatalog(index: library.target, documents: documents)
        var writer = SourceWriter()
        var tokens = PropertyTokens()
        var diagnostics = duplicateClasses() + missingClasses(in: catalog)
        let accessors = AccessorEmitter(
            catalog: catalog, library: library, computedProperties: ported?.computedProperties ?? [],
            seesPrivateMembers: ported != nil)
        let exported = library.target.files.reduce(into: Set<String>()) {
            $0.formUnion(accessors.exportedModules(of: $1))
        }
        let exposed = ExposedClassCatalog(catalog)
        let overrides = ported?.overrides ?? []
        HeaderEmitter(
            index: library.target, exportedModules: exported,
            namedFiles: exposed.files.union(overrides.map(\.file)),
            absentModules: ForeignNames.modulesReexportingFoundation(besides: library.dependencyNames)
        ).emit(into: &writer)
        for document in documents {
            let emitter = ClassEmitter(document: document, catalog: catalog, overrides: overrides)
            for entity in document.entities { emitter.emit(entity, into: &writer, tokens: &tokens) }
        }
        for file in library.target.files {
            diagnostics += accessors.emit(file, into: &writer, tokens: &tokens)
        }
        tokens.emit(into: &writer, isShared: ported?.computedProperties.isEmpty == false)
        RegistrationEmitter(
            catalog: catalog, exposed: exposed, hasModels: !documents.isEmpty,
            privateTables: ported?.privateTables ?? []
        ).emit(into: &writer)
        let failed = diagnostics.contains { $0.severity == .error }
        return Output(text: failed ? nil : writer.text, diagnostics: diagnostics)
    }

    /// Returns the class names of a compiled model that may lack a module, each with the name by which Swift
    /// finds the class.
    package func classNames(of document: ModelDocument) -> [String: String] {
        var names: [String: String] = [:]
        let catalog = ManagedClassCatalog(index: library.target, documents: documents)
        for entity in document.entities {
            guard let written = entity.className,
                let owner = EntityClass(of: entity, module: library.target.name),
                let managed = catalog.managedClass(named: owner.name)
            else { continue }
            names[written.hasPrefix(".") ? owner.name : written] = "\(library.target.name).\(managed.name)"
        }
        return names
    }

    /// Returns an error for each class that would be defined both by the app and by the generated code.
    private func duplicateClasses() -> [Diagnostic] {
        documents.flatMap(\.entities).filter { $0.codeGeneration == .class }.compactMap { entity in
            guard let owner = EntityClass(of: entity, module: library.target.name),
                let written = library.target.classes.first(where: {
                    library.target.unqualified($0.path) == owner.path
                })
            else { return nil }
            return Diagnostic(
                .error, at: entity.name,
                "class '\(owner.name)' is also generated: set the codegen of entity '\(entity.name)' to "
                    + "Category/Extension or Manual/None, or remove this class",
                file: written.position.file, line: written.position.line, column: written.position.column)
        }
    }

    /// Returns an error for each class that generated code would extend but that is not declared.
    private func missingClasses(in catalog: ManagedClassCatalog) -> [Diagnostic] {
        documents.flatMap(\.entities).filter { $0.codeGeneration == .category }.compactMap { entity in
            guard let owner = EntityClass(of: entity, module: library.target.name),
                catalog.managedClass(at: owner.path) == nil,
                (try? library.dependency(declaring: owner.path[0], seenFrom: "")) == nil
            else { return nil }
            return Diagnostic(
                .error, at: entity.name,
                "class '\(owner.name)' is declared nowhere: write it, or set the codegen of the entity to "
                    + "Class Definition")
        }
    }
}
