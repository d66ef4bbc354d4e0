import CoreDataCodegen
import CoreDataModelFormat
import Foundation

/// One run of the tool: reads everything, reports, and writes only if nothing is wrong.
struct ModelCompilation {
    private let invocation: Invocation
    private let files = ModelFileSystem()

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Whether the outputs were written.
    func run() throws -> Bool {
        let packages = try invocation.models.map { model in
            try ModelPackage.read(at: URL(fileURLWithPath: model.source))
        }
        var hasErrors = false
        for (package, model) in zip(packages, invocation.models) {
            for diagnostic in package.versions.flatMap({ $0.lint() }) {
                report(diagnostic, defaultFile: model.source)
                hasErrors = hasErrors || diagnostic.severity == .error
            }
        }
        let mappings = try mappings()
        let reader = ModuleReader(module: invocation.module, dependencies: invocation.dependencies)
        let sources = try reader.sources(at: invocation.sources)
        let library = reader.library(of: sources)
        let documents = packages.map(\.current.document)
        let overlay = ModuleOverlay(sources, library: library, documents: documents)
        let writer = invocation.overlay.map { OverlayWriter(file: $0, files: files) }
        if writer != nil {
            for refusal in overlay.refusals { report(refusal, defaultFile: nil) }
            hasErrors = hasErrors || !overlay.refusals.isEmpty
        } else if let missing = overlay.missing(module: invocation.module) {
            report(missing, defaultFile: nil)
        }
        let generator = SourceGenerator(
            library: library, documents: documents, overlay: writer == nil ? nil : overlay)
        let output = generator.generate()
        for diagnostic in output.diagnostics { report(located(diagnostic, in: packages), defaultFile: nil) }
        guard !hasErrors, let text = output.text else { return false }
        for (package, model) in zip(packages, invocation.models) {
            try compile(package, generator.classNames(of: package.current.document), to: model.compiled)
        }
        for (mapping, output) in zip(mappings, invocation.mappings) {
            try mapping.write(to: URL(fileURLWithPath: output.compiled))
        }
        try WithdrawnModels(invocation).remove()
        try writer?.write(overlay)
        try files.write(Data(text.utf8), to: URL(fileURLWithPath: invocation.swiftFile))
        return true
    }

    /// The mapping models, which find the models that they name among the target's.
    private func mappings() throws -> [MappingBuild] {
        let models = invocation.models.map { URL(fileURLWithPath: $0.source) }
        return try invocation.mappings.map { mapping in
            let build = try MappingBuild(of: URL(fileURLWithPath: mapping.source), models: models)
            for diagnostic in build.diagnostics { report(diagnostic, defaultFile: mapping.source) }
            return build
        }
    }

    // MARK: Outputs

    private func compile(_ package: ModelPackage, _ classNames: [String: String], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        let writer = ModelPackageWriter(package)
        guard package.isVersioned else {
            return try writer.compileCurrentVersion(to: url, moduleName: invocation.module)
        }
        // Bare class names, which Swift cannot find a class by, and the names it can.
        let table = try PropertyListSerialization.data(fromPropertyList: classNames, format: .xml, options: 0)
        try writer.compile(to: url, moduleName: invocation.module, further: ["Classes.plist": table])
    }

    /// What the generator says about an entity, at the entity's place in its model.
    private func located(_ diagnostic: Diagnostic, in packages: [ModelPackage]) -> Diagnostic {
        let locations = packages.lazy.map(\.current.locations)
        guard diagnostic.file == nil,
            let own = locations.first(where: { $0.lines[diagnostic.elementPath] != nil })
        else { return diagnostic }
        return own.locating(diagnostic)
    }

    private func report(_ diagnostic: Diagnostic, defaultFile: String?) {
        FileHandle.standardError.write(Data((diagnostic.line(defaultFile: defaultFile) + "\n").utf8))
    }
}
