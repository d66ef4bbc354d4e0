import CoreDataModelFormat
import Foundation

/// The compiled models and mapping models that have to be removed, because the target no longer has their
/// sources. Otherwise they would still be found at run time, since SwiftPM removes nothing from a resource
/// folder.
struct WithdrawnModels {
    /// The names of the models that the tool writes now, and of the compiled models that the target has as
    /// resources.
    private let present: Set<String>
    private let kept: Set<String>
    private let outputs: URL
    /// The file with the names of all models that the tool ever wrote. Each configuration has its own
    /// resource folder, which may be built long after an output was removed.
    private let record: URL
    private let resources: [URL]
    private let files = ModelFileSystem()

    init(_ invocation: Invocation) {
        let compiled = (invocation.models + invocation.mappings).map(\.compiled)
        present = Set(compiled.map { URL(fileURLWithPath: $0).lastPathComponent })
        kept = Set(invocation.kept)
        outputs = URL(fileURLWithPath: invocation.swiftFile).deletingLastPathComponent()
        record = outputs.appendingPathComponent("Models.txt")
        resources = invocation.resources.map(Self.folders) ?? []
    }

    func remove() throws {
        let noted = (try? String(contentsOf: record, encoding: .utf8))?.split(separator: "\n").map(
            String.init)
        let known = Set(noted ?? []).union(models(in: outputs)).union(present)
        for name in known.subtracting(present) {
            let folders = [outputs] + (kept.contains(name) ? [] : resources)
            for url in folders.map({ $0.appendingPathComponent(name) })
            where FileManager.default.fileExists(atPath: url.path) {
                try files.remove(url)
            }
        }
        try files.write(Data(known.sorted().map { $0 + "\n" }.joined().utf8), to: record)
    }

    private func models(in folder: URL) -> [String] {
        Self.contents(of: folder).filter { ["momd", "mom", "cdm"].contains($0.pathExtension) }
            .map(\.lastPathComponent)
    }

    /// Returns the resource folder of each configuration:
    /// `.build/x86_64-unknown-linux-gnu/debug/App_App.resources`.
    private static func folders(of resources: (build: String, name: String)) -> [URL] {
        contents(of: URL(fileURLWithPath: resources.build)).flatMap(contents)
            .map { $0.appendingPathComponent(resources.name) }
    }

    private static func contents(of folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }
    }
}
