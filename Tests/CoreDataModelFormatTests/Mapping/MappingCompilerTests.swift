import CoreDataModelFormat
import CoreDataModelSource
import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Compiling mapping models")
struct MappingCompilerTests {
    private static let folder = "alemar11__CoreDataPlus/Tests/Resources/SampleModel"

    @Test("A real source compiles to the same mapping as with Xcode", .enabled(if: Corpus.isPresent))
    func real() throws {
        let url = Corpus.url("\(Self.folder)/MappingModels/V2toV3.xcmappingmodel")
        let model = Corpus.url("\(Self.folder)/SampleModel.xcdatamodeld")
        let expected = try CompiledMappingReader().read(at: Corpus.url("\(Self.folder)/Fixtures/V2toV3.cdm"))
        let build = try MappingBuild(of: url, models: [model])
        #expect(build.diagnostics.isEmpty)
        #expect(build.document == expected)
        // The models are near the mapping, though not at its path.
        #expect(try MappingBuild(of: url).document == expected)
    }

    @Test(
        "Every real mapping model whose two models are available compiles", .enabled(if: Corpus.isPresent),
        arguments: MappingSample.all.filter { $0.models != nil })
    func everyReal(_ sample: MappingSample) throws {
        let models = try #require(sample.models).map { Corpus.url($0) }
        let build = try MappingBuild(of: sample.url, models: models)
        #expect(build.diagnostics.isEmpty)
        #expect(
            build.document.entities.map(\.name)
                == sample.mappings.map { String($0.split(separator: " ").first ?? "") })
        for entity in build.document.entities {
            #expect((entity.sourceHash?.count ?? 32) == 32)
            #expect((entity.destinationHash?.count ?? 32) == 32)
            #expect((entity.sourceHash == nil) == (entity.sourceName == nil))
            #expect((entity.destinationHash == nil) == (entity.destinationName == nil))
            #expect((entity.source == nil) == (entity.sourceName == nil))
        }
        let data = try CompiledMappingWriter(build.document).cdm()
        #expect(try CompiledMappingReader().read(data) == build.document)
    }

    // MARK: Rules

    /// Songs on discs with tags become tracks on albums; pieces of both have subentities.
    private static func version(_ name: String, _ entities: [EntityElement]) -> ModelVersion {
        ModelVersion(name: name, document: ModelDocument(entities: entities))
    }

    private static func entity(
        _ name: String, parent: String? = nil, _ attributes: [String] = [], to one: [String: String] = [:]
    ) -> EntityElement {
        EntityElement(
            name: name, parentName: parent,
            attributes: attributes.map { AttributeElement(name: $0, type: .string, isOptional: true) },
            relationships: one.sorted { $0.key < $1.key }.map {
                RelationshipElement(name: $0.key, destinationName: $0.value, isOptional: true)
            })
    }

    private static let source = version(
        "1",
        [
            entity("Piece", ["title"], to: ["disc": "Disc", "tag": "Tag"]), entity("Song", parent: "Piece"),
            entity("Disc", ["year"], to: ["best": "Piece"]), entity("Tag", ["text"]), entity("Note"),
        ])
    private static let destination = version(
        "2",
        [
            entity(
                "Piece", ["title", "subtitle"], to: ["disc": "Album", "album": "Album", "label": "Label"]),
            entity("Song", parent: "Piece", ["key"]), entity("Album", ["year"], to: ["best": "Piece"]),
            entity("Label", ["text"]), entity("Tag", ["text"]),
        ])

    private func compile(_ entities: [EntityMappingSource]) throws -> MappingCompiler.Result {
        let mapping = MappingSource(sourceModelPath: "1", destinationModelPath: "2", entities: entities)
        return try MappingCompiler(mapping, source: Self.source, destination: Self.destination).compile()
    }

    private func value(
        _ property: PropertyMappingSource, in entity: EntityMappingSource,
        isAttribute: Bool = true, beside others: [EntityMappingSource] = []
    ) throws -> ExpressionNode? {
        var entity = entity
        if isAttribute { entity.attributes = [property] } else { entity.relationships = [property] }
        let result = try compile([entity] + others).document.entities[0]
        return try #require((isAttribute ? result.attributes : result.relationships).first).value
    }

    private let piece = EntityMappingSource(sourceName: "Piece", destinationName: "Piece")
    private let song = EntityMappingSource(sourceName: "Song", destinationName: "Song")
    private let disc = EntityMappingSource(sourceName: "Disc", destinationName: "Album")

    @Test("The type follows from the entities and the policy, unless it is given")
    func kinds() throws {
        let custom = EntityMappingSource(
            name: "Own", sourceName: "Tag", destinationName: "Tag", policyClassName: "P")
        let given = EntityMappingSource(
            name: "Given", kind: .transform, sourceName: "Tag", destinationName: "Tag")
        let document = try compile([
            piece, disc, EntityMappingSource(destinationName: "Label"),
            EntityMappingSource(sourceName: "Note"), custom, given,
        ]).document
        #expect(
            document.entities.map(\.name) == ["PieceToPiece", "DiscToAlbum", "Label", "Note", "Own", "Given"])
        #expect(document.entities.map(\.kind) == [.copy, .transform, .add, .remove, .custom, .transform])
        #expect(document.entities[0].source == MappingExpression.sources(ofEntity: "Piece"))
        #expect(document.entities[2].source == nil)
        #expect(document.entities[3].source == nil)
        let hashes = (VersionHashes(Self.source.document), VersionHashes(Self.destination.document))
        #expect(document.entities[1].sourceHash == hashes.0.byEntity["Disc"].map { [UInt8]($0) })
        #expect(document.entities[1].destinationHash == hashes.1.byEntity["Album"].map { [UInt8]($0) })
        #expect(document.entities[2].sourceHash == nil)
        #expect(document.entities[3].destinationHash == nil)
    }

    @Test("An attribute is copied from the source attribute of the same name, if there is one")
    func attributes() throws {
        #expect(try value(.init(name: "title"), in: piece) == MappingExpression.sourceValue("title"))
        #expect(try value(.init(name: "title"), in: song) == MappingExpression.sourceValue("title"))
        #expect(try value(.init(name: "subtitle"), in: piece) == nil)
        #expect(try value(.init(name: "title", isGenerated: false), in: piece) == nil)
        #expect(try value(.init(name: "text"), in: EntityMappingSource(destinationName: "Label")) == nil)
        let own = try FormatParser.expression("$source.title")
        #expect(try value(.init(name: "subtitle", value: own), in: piece) == own)
    }

    @Test("A relationship uses the only mapping to its destination, or all if there are several")
    func relationships() throws {
        func relationship(
            _ property: PropertyMappingSource, in entity: EntityMappingSource,
            beside others: [EntityMappingSource]
        ) throws -> ExpressionNode? {
            try value(property, in: entity, isAttribute: false, beside: others)
        }
        let one = try relationship(.init(name: "disc"), in: piece, beside: [disc])
        #expect(one == MappingExpression.destinations(ofMapping: "DiscToAlbum", at: "disc"))
        let several = try relationship(.init(name: "best"), in: disc, beside: [piece, song])
        #expect(several == MappingExpression.destinations(ofRelationship: "best", at: "best"))
        let added = EntityMappingSource(name: "New", destinationName: "Song")
        let oneAndAdded = try relationship(.init(name: "best"), in: disc, beside: [piece, added])
        #expect(oneAndAdded == MappingExpression.destinations(ofMapping: "PieceToPiece", at: "best"))
        #expect(try relationship(.init(name: "label"), in: piece, beside: [disc]) == nil)
        #expect(try relationship(.init(name: "disc", isGenerated: false), in: piece, beside: [disc]) == nil)
        let moved = PropertyMappingSource(name: "album", sourceKeyPath: "disc")
        #expect(
            try relationship(moved, in: piece, beside: [disc])
                == MappingExpression.destinations(ofMapping: "DiscToAlbum", at: "disc"))
        let named = PropertyMappingSource(name: "label", sourceKeyPath: "tag", sourceMappingName: "Any")
        #expect(
            try relationship(named, in: piece, beside: [disc])
                == MappingExpression.destinations(ofMapping: "Any", at: "tag"))
    }

    @Test("A chosen key path may lead through relationships, and a wrong path is a warning")
    func sourceKeyPaths() throws {
        func compiled(_ property: PropertyMappingSource, isAttribute: Bool = false) throws -> (
            value: ExpressionNode?, warnings: [String]
        ) {
            var entity = piece
            if isAttribute { entity.attributes = [property] } else { entity.relationships = [property] }
            let result = try compile([entity, disc])
            let element = result.document.entities[0]
            #expect(result.diagnostics.allSatisfy { $0.elementPath == "PieceToPiece.\(property.name)" })
            return (
                (isAttribute ? element.attributes : element.relationships).first?.value,
                result.diagnostics.map(\.message)
            )
        }
        func album(_ path: String?, from mapping: String? = nil) -> PropertyMappingSource {
            PropertyMappingSource(name: "album", sourceKeyPath: path, sourceMappingName: mapping)
        }
        let through = try compiled(album("disc.best.disc", from: "DiscToAlbum"))
        #expect(
            through.value.map(NodePrinter.format)
                == "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
                + "\"DiscToAlbum\", $source.disc.best.disc)")
        #expect(through.warnings.isEmpty)
        let itself = try compiled(album("", from: "DiscToAlbum"))
        #expect(itself.value.map(NodePrinter.format)?.hasSuffix("\"DiscToAlbum\", $source)") == true)
        for path in ["disk", "title.disc", "disc.year", "disc.best.disk", "title"] {
            let nowhere = try compiled(album(path, from: "DiscToAlbum"))
            #expect(nowhere.value == nil)
            #expect(nowhere.warnings == ["the source has no relationship at \"\(path)\": it gets no value"])
        }
        // A new relationship has no counterpart in the source, and the mapping claims none.
        #expect(try compiled(album(nil)).warnings.isEmpty)
        let unknown = try compiled(album("disc", from: "DiscToRecord"))
        #expect(unknown.value == MappingExpression.destinations(ofMapping: "DiscToRecord", at: "disc"))
        #expect(unknown.warnings.first?.contains("no mapping \"DiscToRecord\"") == true)
        let year = try compiled(.init(name: "subtitle", sourceKeyPath: "disc.year"), isAttribute: true)
        #expect(year.value == MappingExpression.sourceValue("disc.year"))
        #expect(year.warnings.isEmpty)
        let label = try compiled(.init(name: "subtitle", sourceKeyPath: "disc.label"), isAttribute: true)
        #expect(label.value == nil)
        #expect(label.warnings == ["the source has no attribute at \"disc.label\": it gets no value"])
    }

    // MARK: Mistakes

    @Test("A mapping that does not fit its models says what is wrong")
    func mistakes() throws {
        func reason(_ entities: [EntityMappingSource]) -> String? {
            do {
                _ = try compile(entities)
                return nil
            } catch {
                return (error as? ModelFileError)?.description
            }
        }
        #expect(reason([piece]) == nil)
        #expect(reason([piece, piece])?.contains("two mappings are called \"PieceToPiece\"") == true)
        let old = EntityMappingSource(sourceName: "Opus", destinationName: "Piece")
        #expect(reason([old])?.contains("the source model has no entity \"Opus\"") == true)
        let new = EntityMappingSource(sourceName: "Piece", destinationName: "Opus")
        #expect(reason([new])?.contains("the destination model has no entity \"Opus\"") == true)
    }

    @Test("A property that the destination does not have is left out with a warning")
    func unknownProperty() throws {
        var mapping = piece
        mapping.attributes = [.init(name: "title"), .init(name: "length"), .init(name: "disc")]
        mapping.relationships = [.init(name: "title"), .init(name: "disc")]
        let result = try compile([mapping])
        #expect(result.document.entities[0].attributes.map(\.name) == ["title"])
        #expect(result.document.entities[0].relationships.map(\.name) == ["disc"])
        #expect(
            result.diagnostics.map(\.elementPath) == [
                "PieceToPiece.length", "PieceToPiece.disc", "PieceToPiece.title",
            ])
        #expect(result.diagnostics.allSatisfy { $0.severity == .warning })
    }

    @Test("A model with mistakes stops the compiler with an error that names the model")
    func brokenModel() {
        let broken = Self.version("Broken", [Self.entity("A", parent: "Nobody")])
        let mapping = MappingSource(sourceModelPath: "1", destinationModelPath: "2")
        let error = #expect(throws: ModelFileError.self) {
            _ = try MappingCompiler(mapping, source: broken, destination: Self.destination)
        }
        #expect(error?.path == "Broken")
        #expect(error?.description.contains("Nobody") == true)
    }
}
