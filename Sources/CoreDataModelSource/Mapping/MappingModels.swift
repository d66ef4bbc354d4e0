import CoreDataModelFormat
import Foundation

/// The two models of a mapping: those that it names, or the best substitute for one that was renamed or
/// moved.
struct MappingModels {
    private(set) var source: ModelVersion
    private(set) var destination: ModelVersion
    private(set) var diagnostics: [Diagnostic] = []

    /// Finds the models; throws a `ModelFileError` with the path of a model that is missing and has no
    /// substitute.
    init(of mapping: MappingSourceReader.Result, found search: MappingModelSearch) throws {
        let entities = mapping.source.entities
        let source = Side(
            kind: "source", path: mapping.source.sourceModelPath, copy: mapping.sourceModelCopy,
            entityNames: Set(entities.compactMap(\.sourceName)))
        let destination = Side(
            kind: "destination", path: mapping.source.destinationModelPath,
            copy: mapping.destinationModelCopy,
            entityNames: Set(entities.compactMap(\.destinationName)))
        let named = try (search.version(at: source.path), search.version(at: destination.path))
        self.source = try named.0 ?? source.substitute(from: search, besides: named.1)
        self.destination = try named.1 ?? destination.substitute(from: search, besides: self.source)
        if named.0 == nil { report(source, self.source) }
        if named.1 == nil { report(destination, self.destination) }
    }

    private mutating func report(_ side: Side, _ version: ModelVersion) {
        let message =
            "the \(side.kind) model \"\(side.path)\" was not found: "
            + (version.locations.file.map { "\($0) is used instead" }
                ?? "the mapping's own copy is used instead")
        diagnostics.append(Diagnostic(.warning, message))
    }
}

/// The source or destination model, as the mapping describes it.
private struct Side {
    let kind: String
    let path: String
    /// The editor's copy of the model.
    let copy: Data?
    let entityNames: Set<String>

    /// Finds the version whose entities equal those of the copy, or else the only version that has all
    /// entities of the mapping, or else returns the copy.
    ///
    /// - Parameter other: The version on the other side, which is excluded.
    func substitute(from search: MappingModelSearch, besides other: ModelVersion?) throws -> ModelVersion {
        let candidates = search.candidates(for: path).filter {
            other == nil || $0.locations.file != other?.locations.file
        }
        let copied = copy.flatMap { try? EditorModel($0).document() }.flatMap {
            $0.entities.isEmpty ? nil : $0
        }
        if let hashes = copied.map({ VersionHashes($0).byEntity }),
            let same = candidates.first(where: { VersionHashes($0.document).byEntity == hashes })
        {
            return same
        }
        let fitting = candidates.filter { entityNames.isSubset(of: $0.document.entities.map(\.name)) }
        if fitting.count == 1 { return fitting[0] }
        guard let copied else { throw ModelFileError("", .missingModel(path)) }
        return ModelVersion(name: kind, document: copied)
    }
}
