package import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// One run of a plugin's tool. It reads all input and reports problems, and writes the outputs only if there
/// are no errors.
package struct PluginRun {
    /// The sources of the module.
    package let sources: [SourceText]
    package let library: ModuleLibrary
    /// The current version of each model.
    package let documents: [ModelDocument]

    private let invocation: Invocation
    private let packages: [ModelPackage]
    private let mappings: [MappingBuild]
    private let files = ModelFileSystem()
    private var hasErrors = false

    /// - Parameter read: Finds the declarations of a source.
    package init(_ invocation: Invocation, read: @escaping SourceReading = DeclarationReader.read) throws {
        self.invocation = invocation
        packages = try invocation.models.map { model in
            try ModelPackage.read(at: URL(fileURLWithPath: model.source))
        }
        let models = invocation.models.map { URL(fileURLWithPath: $0.source) }
        // A mapping model finds the models it names among the target's models.
        mappings = try invocation.mappings.map { mapping in
            try MappingBuild(of: URL(fileURLWithPath: mapping.source), models: models)
        }
        let reader = ModuleReader(
            module: invocation.module, dependencies: invocation.dependencies, read: read)
        sources = try reader.sources(at: invocation.sources)
        library = try reader.library(of: sources)
        documents = packages.map(\.current.document)
        for (package, model) in zip(packages, invocation.models) {
            for diagnostic in package.versions.flatMap({ $0.lint() }) {
                report(diagnostic, defaultFile: model.source)
            }
        }
        for (build, mapping) in zip(mappings, invocation.mappings) {
            for diagnostic in build.diagnostics { report(diagnostic, defaultFile: mapping.source) }
        }
    }

    /// Prints a diagnostic. After an error, nothing is written.
    package mutating func report(_ diagnostic: Diagnostic, defaultFile: String? = nil) {
        hasErrors = hasErrors || diagnostic.severity == .error
        FileHandle.standardError.write(Data((diagnostic.line(defaultFile: defaultFile) + "\n").utf8))
    }

    // MARK: Outputs

    /// Generates and compiles all outputs. Returns whether they were written.
    ///
    /// - Parameters:
    ///   - ported: The declarations of the ported texts that the compiler reads instead of the sources; nil
    ///     if it reads the sources.
    ///   - writePorted: Takes the generated text, writes the ported ones, and returns what the generated file
    ///     contains.
    package mutating func write(
        ported: PortedDeclarations? = nil, _ writePorted: (String) throws -> String = { $0 }
    ) throws -> Bool {
        let generator = SourceGenerator(library: library, documents: documents, ported: ported)
        let output = generator.generate()
        for diagnostic in output.diagnostics { report(located(diagnostic)) }
        guard !hasErrors, let text = output.text else { return false }
        for (package, model) in zip(packages, invocation.models) {
            try compile(package, generator.classNames(of: package.current.document), to: model.compiled)
        }
        for (mapping, output) in zip(mappings, invocation.mappings) {
            try mapping.write(to: URL(fileURLWithPath: output.compiled))
        }
        try WithdrawnModels(invocation).remove()
        let written = try writePorted(text)
        try files.write(Data(written.utf8), to: URL(fileURLWithPath: invocation.swiftFile))
        return true
    }

    private func compile(_ package: ModelPackage, _ classNames: [String: String], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        let writer = ModelPackageWriter(package)
        guard package.isVersioned else {
            return try writer.compileCurrentVersion(to: url, moduleName: invocation.module)
        }
        // Class names without a module, by which Swift cannot find a class, with the names by which it can.
        let table = try PropertyListSerialization.data(fromPropertyList: classNames, format: .xml, options: 0)
        try writer.compile(to: url, moduleName: invocation.module, further: ["Classes.plist": table])
    }

    /// Returns a diagnostic of the generator with the position of its entity in the model file.
    private func located(_ diagnostic: Diagnostic) -> Diagnostic {
        let locations = packages.lazy.map(\.current.locations)
        guard diagnostic.file == nil,
            let own = locations.first(where: { $0.lines[diagnostic.elementPath] != nil })
        else { return diagnostic }
        return own.locating(diagnostic)
    }
}
