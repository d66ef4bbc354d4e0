import CoreDataModelFormat
import CoreDataModelSource
import CoreDataPredicates
import Foundation
import Testing

@Suite("Mapping models of Xcode")
struct MappingSourceTests {
    @Test(
        "Every real mapping model is read with its mappings, properties, policies and expressions",
        .enabled(if: Corpus.isPresent), arguments: MappingSample.all)
    func real(_ sample: MappingSample) throws {
        let result = try MappingSourceReader().read(at: sample.url)
        #expect(result.diagnostics.isEmpty)
        let source = result.source
        #expect(source.sourceModelPath.hasSuffix(".xcdatamodel"))
        #expect(source.destinationModelPath.hasSuffix(".xcdatamodel"))
        #expect(source.sourceModelPath != source.destinationModelPath)
        let mappings = source.entities.map { entity in
            let counts = "\(entity.mappingName) \(entity.attributes.count) \(entity.relationships.count)"
            return entity.policyClassName.map { "\(counts) \($0)" } ?? counts
        }
        #expect(mappings == sample.mappings)
        let expressions = source.entities.flatMap { entity in
            (entity.attributes + entity.relationships).compactMap { property in
                property.value.map { "\(entity.mappingName).\(property.name) = \(NodePrinter.format($0))" }
            }
        }
        #expect(expressions == sample.expressions)
        for entity in source.entities {
            #expect(entity.kind == nil)
            #expect(entity.name == nil)
            #expect(entity.source == nil)
            #expect((entity.attributes + entity.relationships).allSatisfy { $0.isGenerated })
        }
    }

    @Test("The tests know every mapping model of the corpus", .enabled(if: Corpus.isPresent))
    func complete() {
        let paths = Corpus.paths { $0.hasSuffix(".xcmappingmodel") }
        #expect(paths == MappingSample.all.map(\.path).sorted())
    }

    @Test("User info is read", .enabled(if: Corpus.isPresent))
    func realUserInfo() throws {
        let sample = try #require(
            MappingSample.all.first { $0.path.hasSuffix("Model1_to_Model2.xcmappingmodel") })
        let source = try MappingSourceReader().read(at: sample.url).source
        #expect(source.entities.map { $0.userInfo.map(\.key) } == [[], [], ["modelVersion"]])
        #expect(source.entities[2].userInfo.map(\.value) == ["2"])
    }

    // MARK: What the editor can say

    private func read(_ xml: MappingXML) throws -> MappingSourceReader.Result {
        try MappingSourceReader().read(xml.data, file: "xcmapping.xml")
    }

    private func reason(_ xml: MappingXML) -> String? {
        do {
            _ = try read(xml)
            return nil
        } catch {
            return (error as? ModelFileError)?.description
        }
    }

    @Test("Names, types, key paths, mappings and expressions are read unchanged")
    func everything() throws {
        var xml = MappingXML()
        let title = xml.attribute(
            "title", [("valueexpressiondata", try MappingXML.expression("$source.name"))])
        let album = xml.relationship(
            "album",
            [
                ("autogenerateexpression", "1"), ("sourcekeypath", "disc"),
                ("sourcemappingname", "DiscToAlbum"),
            ])
        let tags = xml.relationship("tags", [("autogenerateexpression", "0")])
        let fetch = "FETCH(FUNCTION($manager, 'f:', 'Song'), $manager.sourceContext, NO)"
        let song = xml.entity(
            [
                ("name", "Songs"), ("mappingtypename", "Transform"), ("sourcename", "Song"),
                ("destinationname", "Track"), ("mappingnumber", "2"), ("autogenerateexpression", "0"),
                ("valueexpressiondata", try MappingXML.expression(fetch)),
                ("migrationpolicyclassname", "Player.Policy"),
            ], attributes: [title], relationships: [tags, album])
        let note = xml.entity([
            ("sourcename", "Note"), ("mappingnumber", "1"), ("mappingtypename", "Undefined"),
        ])
        xml.model([song, note], from: "A.xcdatamodel", to: "B.xcdatamodel")
        let result = try read(xml)
        #expect(result.diagnostics.isEmpty)
        let expected = MappingSource(
            sourceModelPath: "A.xcdatamodel", destinationModelPath: "B.xcdatamodel",
            entities: [
                EntityMappingSource(sourceName: "Note"),
                EntityMappingSource(
                    name: "Songs", kind: .transform, sourceName: "Song", destinationName: "Track",
                    policyClassName: "Player.Policy", source: try FormatParser.expression(fetch),
                    attributes: [
                        PropertyMappingSource(name: "title", value: MappingExpression.sourceValue("name"))
                    ],
                    relationships: [
                        PropertyMappingSource(
                            name: "album", sourceKeyPath: "disc", sourceMappingName: "DiscToAlbum"),
                        PropertyMappingSource(name: "tags", isGenerated: false),
                    ]),
            ])
        #expect(result.source == expected)
    }

    @Test("Mappings have the names that Xcode gives them")
    func names() {
        #expect(EntityMappingSource(sourceName: "A", destinationName: "B").mappingName == "AToB")
        #expect(EntityMappingSource(destinationName: "B").mappingName == "B")
        #expect(EntityMappingSource(sourceName: "A").mappingName == "A")
        #expect(EntityMappingSource(name: "Own", sourceName: "A", destinationName: "B").mappingName == "Own")
    }

    @Test("An empty policy name means no policy, and mappings outside of the model are ignored")
    func empty() throws {
        var xml = MappingXML()
        let song = xml.entity([("sourcename", "Song"), ("migrationpolicyclassname", "")])
        _ = xml.entity([("sourcename", "Orphan")])
        xml.model([song])
        #expect(try read(xml).source.entities == [EntityMappingSource(sourceName: "Song")])
    }

    @Test(
        "A key path from the source object may begin with $source, or be $source itself"
    )
    func sourceKeyPaths() throws {
        var xml = MappingXML()
        let paths = ["$source.disc.label", "disc.label", "$source", "$sources.disc"]
        let relationships = paths.enumerated().map {
            xml.relationship("r\($0)", [("sourcekeypath", $1), ("autogenerateexpression", "1")])
        }
        let song = xml.entity([("sourcename", "Song")], relationships: relationships)
        xml.model([song])
        let read = try read(xml).source.entities[0].relationships.map(\.sourceKeyPath)
        #expect(read == ["disc.label", "disc.label", "", "$sources.disc"])
    }

    @Test("A mapping to which the editor gave no entities is left out with a warning")
    func withoutEntities() throws {
        var xml = MappingXML()
        let nothing = xml.entity([("mappingtypename", "Undefined"), ("mappingnumber", "3")])
        let song = xml.entity([("sourcename", "Song")])
        xml.model([nothing, song])
        let result = try read(xml)
        #expect(result.source.entities == [EntityMappingSource(sourceName: "Song")])
        #expect(result.diagnostics.map(\.severity) == [.warning])
        #expect(result.diagnostics.first?.message.contains("neither source nor destination") == true)
        #expect(result.diagnostics.first?.line == 11)
    }

    @Test("An unknown attribute is a warning with file and line")
    func unknownAttribute() throws {
        var xml = MappingXML()
        let song = xml.entity([("sourcename", "Song"), ("vendorsetting", "1")])
        xml.model([song])
        let diagnostics = try read(xml).diagnostics
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.message.contains("\"vendorsetting\" of XDDEVENTITYMAPPING") == true)
        #expect(diagnostics.first?.file == "xcmapping.xml")
        #expect(diagnostics.first?.line == 11)
    }

    // MARK: What is refused

    @Test("A mapping without entities or with impossible values is an error with its line")
    func refused() throws {
        func xml(_ entity: [(String, String)], _ property: [(String, String)]? = nil) -> MappingXML {
            var xml = MappingXML()
            let properties = property.map { [xml.object("XDDEVATTRIBUTEMAPPING", $0)] } ?? []
            xml.model([xml.entity(entity, attributes: properties)])
            return xml
        }
        let song = [("sourcename", "Song")]
        #expect(reason(xml(song)) == nil)
        let copy = [("mappingtypename", "Copy")]
        #expect(reason(xml(copy))?.contains("xcmapping.xml:11: ") == true)
        #expect(reason(xml(copy))?.contains("neither source nor destination") == true)
        #expect(reason(xml(song + [("mappingtypename", "Magic")]))?.contains("\"Magic\" is no type") == true)
        #expect(reason(xml(song + [("autogenerateexpression", "0")]))?.contains("has none") == true)
        #expect(reason(xml(song, []))?.contains("has no name") == true)
        let data = [("name", "a"), ("valueexpressiondata", "AAAA")]
        #expect(reason(xml(song, data))?.contains("malformed") == true)
        #expect(reason(MappingXML())?.contains("0 objects of XDDEVMAPPINGMODEL") == true)
        var dangling = MappingXML()
        dangling.model([4000])
        #expect(reason(dangling)?.contains("refers to z4000, which is no XDDEVENTITYMAPPING") == true)
        var pathless = MappingXML()
        pathless.model([], from: "")
        #expect(reason(pathless)?.contains("names no source and destination model") == true)
    }

    @Test("Other XML, text and missing files are refused")
    func foreign() throws {
        func reason(_ text: String) -> String? {
            do {
                _ = try MappingSourceReader().read(Data(text.utf8), file: "f")
                return nil
            } catch {
                return (error as? ModelFileError)?.description
            }
        }
        #expect(reason("<model></model>") == "f: is no mapping model: its root is \"model\"")
        #expect(
            reason("<!DOCTYPE d [<!ENTITY a 'b'>]><database>&a;</database>")?.contains("entities") == true)
        #expect(reason("database")?.contains("malformed XML") == true)
        #expect(reason("<database><object id='z1'></object><object id='z1'></object></database>") != nil)
        #expect(throws: ModelFileError.self) {
            try MappingSourceReader().read(at: URL(fileURLWithPath: "/nowhere/M.xcmappingmodel"))
        }
        #expect(throws: ModelFileError.self) {
            try MappingSourceReader().read(at: URL(fileURLWithPath: "/nowhere/M.xcdatamodel"))
        }
    }

    // MARK: Damage

    private func small() throws -> Data {
        var xml = MappingXML()
        let title = xml.attribute(
            "title", [("valueexpressiondata", try MappingXML.expression("$source.name"))])
        let album = xml.relationship("album", [("autogenerateexpression", "1")])
        let song = xml.entity(
            [("sourcename", "Song"), ("destinationname", "Song"), ("mappingnumber", "1")],
            attributes: [title], relationships: [album])
        xml.model([song])
        return xml.data
    }

    @Test("A truncated file is refused, whatever its length")
    func truncation() throws {
        let sound = try small()
        #expect(try MappingSourceReader().read(sound, file: "f").source.entities.count == 1)
        for length in sound.indices {
            #expect(throws: ModelFileError.self, "\(length)") {
                try MappingSourceReader().read(sound.prefix(length), file: "f")
            }
        }
    }

    @Test("Damaged bytes are refused or misread, but never crash the program")
    func damage() throws {
        let sound = [UInt8](try small())
        for position in sound.indices {
            for value in [0, 0xFF, UInt8(ascii: "<"), sound[position] ^ 1] {
                var damaged = sound
                damaged[position] = value
                do {
                    _ = try MappingSourceReader().read(Data(damaged), file: "f")
                } catch {
                    #expect(error is ModelFileError)
                }
            }
        }
    }
}
