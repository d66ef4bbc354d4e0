@testable import CoreDataModelSource
import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@testable import CoreDataModelFormat

@Suite("Archives of mappings")
struct MappingArchiveTests {
    /// A mapping with every construct.
    static let mapping = MappingDocument(entities: [
        EntityMappingElement(
            name: "SongToTrack", kind: .custom, sourceName: "Song", sourceHash: Array(0..<32),
            destinationName: "Track", destinationHash: Array(32..<64),
            attributes: [
                PropertyMappingElement(name: "title", value: MappingExpression.sourceValue("album.title")),
                PropertyMappingElement(
                    name: "length", value: .constant(.value(.integer(3))),
                    userInfo: [UserInfoEntry(key: "unit", value: "s")]),
                PropertyMappingElement(name: "year"),
            ],
            relationships: [
                PropertyMappingElement(
                    name: "album",
                    value: MappingExpression.destinations(ofMapping: "AlbumToAlbum", at: "album"))
            ],
            source: MappingExpression.sources(ofEntity: "Song", predicate: "length > 3"),
            policyClassName: "Player.Policy", userInfo: [UserInfoEntry(key: "modelVersion", value: "2")]),
        EntityMappingElement(name: "Tag", kind: .add, destinationName: "Tag", destinationHash: [1, 2]),
        EntityMappingElement(name: "Note", kind: .remove, sourceName: "Note", sourceHash: [3]),
    ])

    @Test("A mapping that is written and read is equal, and writing it twice gives the same bytes")
    func roundTrip() throws {
        let data = try CompiledMappingWriter(Self.mapping).cdm()
        #expect(try CompiledMappingReader().read(data) == Self.mapping)
        #expect(try CompiledMappingWriter(Self.mapping).cdm() == data)
        #expect(
            try CompiledMappingReader().read(CompiledMappingWriter(MappingDocument()).cdm()).entities == [])
    }

    static let expressions = [
        "$source.title", "$source.tracks.@sum.length", "FUNCTION($entityPolicy, \"titleFor:\", $source)",
        "FETCH($request, $manager.sourceContext, YES)", "TERNARY($source.a == 1, \"x\", nil)",
        "$destination.count + 1", "{1, \"two\", $entityMapping.name}",
        "SUBQUERY($source.tracks, $t, $t.length > 3).@count",
    ]

    @Test("Every kind of expression is read as it was written", arguments: expressions)
    func expression(text: String) throws {
        let value = try FormatParser.expression(text)
        let mapping = MappingDocument(entities: [
            EntityMappingElement(
                name: "m", kind: .transform, attributes: [PropertyMappingElement(name: "a", value: value)])
        ])
        let again = try CompiledMappingReader().read(CompiledMappingWriter(mapping).cdm())
        #expect(again == mapping)
        #expect(again.entities[0].attributes[0].value.map(NodePrinter.format) == NodePrinter.format(value))
    }

    @Test("A closure cannot be archived, and the error says so")
    func closure() throws {
        let block = ExpressionNode.block(ExpressionBlock { _, _ in nil }, arguments: [])
        let mapping = MappingDocument(entities: [
            EntityMappingElement(name: "m", kind: .copy, source: block)
        ])
        let error = #expect(throws: ModelFileError.self) { try CompiledMappingWriter(mapping).cdm() }
        #expect(error?.description == "cannot be compiled: a block expression")
    }

    // MARK: What is refused

    private func archive(
        _ root: String = "NSMappingModel", entity: [String: PropertyList] = [:],
        _ more: (inout ArchiveBuilder) -> [String: PropertyList] = { _ in [:] }
    ) -> Data {
        var archive = ArchiveBuilder()
        var fields = entity.merging(more(&archive)) { $1 }
        if fields["NSMappingName"] == nil { fields["NSMappingName"] = archive.string("m") }
        let mappings = archive.collection([archive.object("NSEntityMapping", fields)])
        let model = archive.object(root, ["NSEntityMappings": mappings])
        return archive.data(root: model)
    }

    private func reason(_ data: Data) -> String? {
        do {
            _ = try CompiledMappingReader().read(data)
            return nil
        } catch {
            return (error as? ModelFileError)?.description
        }
    }

    @Test("An archive of another class is refused, and the error names the class")
    func foreignRoot() throws {
        #expect(
            reason(archive("NSManagedObjectModel"))
                == "is no mapping model: its root is a NSManagedObjectModel")
        #expect(reason(archive()) == nil)
        var empty = ArchiveBuilder()
        let root = empty.object("NSMappingModel", [:])
        #expect(reason(empty.data(root: root))?.contains("entity mappings cannot be read") == true)
    }

    @Test("A mapping that cannot be decoded is never left out, but is an error that names it")
    func damagedFields() throws {
        let vendor = archive { archive in
            ["NSSourceExpression": archive.object("VendorExpression", ["secret": .integer(1)])]
        }
        #expect(reason(vendor)?.contains("m: NSSourceExpression") == true)
        #expect(reason(vendor)?.contains("VendorExpression") == true)
        #expect(reason(archive(entity: ["NSMappingType": .integer(77)]))?.contains("77 is no type") == true)
        #expect(reason(archive(entity: ["NSMappingType": .integer(-1)]))?.contains("-1 is no type") == true)
        #expect(reason(archive(entity: ["NSSourceEntityName": .uid(9999)]))?.contains("is no text") == true)
        #expect(
            reason(archive(entity: ["NSSourceEntityVersionHash": .integer(4)]))?.contains("no data") == true)
        #expect(
            reason(archive(entity: ["NSAttributeMappings": .uid(9999)]))?.contains("cannot be read") == true)
        let property = archive { archive in
            let mappings = archive.collection([archive.object("NSObject", [:])])
            return ["NSRelationshipMappings": mappings]
        }
        #expect(reason(property)?.contains("a property mapping is a NSObject") == true)
        let transforms = archive { archive in
            let fields = [
                "NSDestinationPropertyName": archive.string("a"),
                "NSPropertyTransforms": archive.collection([archive.object("NSPropertyTransform", [:])]),
            ]
            return ["NSAttributeMappings": archive.collection([archive.object("NSPropertyMapping", fields)])]
        }
        #expect(reason(transforms)?.contains("m.a: its transforms are not understood") == true)
    }

    @Test("An expression that contains itself is refused")
    func circle() throws {
        let data = archive { archive in
            let expression = archive.reserve()
            let fields: [String: PropertyList] = [
                "NSExpressionType": .integer(4), "NSSelectorName": archive.string("f:"),
                "NSOperand": expression, "NSArguments": archive.collection([expression, expression]),
            ]
            archive.fill(expression, "NSFunctionExpression", fields)
            return ["NSSourceExpression": expression]
        }
        #expect(reason(data)?.contains("not understood") == true)
    }

    // MARK: Damage

    /// A short mapping, since it is damaged at every byte.
    private static let small = MappingDocument(entities: [
        EntityMappingElement(
            name: "m", kind: .copy, sourceName: "A", sourceHash: [1, 2], destinationName: "A",
            attributes: [PropertyMappingElement(name: "a", value: MappingExpression.sourceValue("a"))],
            source: MappingExpression.sources(ofEntity: "A"))
    ])

    @Test("A truncated file is refused, whatever its length")
    func truncation() throws {
        let sound = try CompiledMappingWriter(Self.small).cdm()
        for length in sound.indices {
            #expect(throws: ModelFileError.self, "\(length)") {
                try CompiledMappingReader().read(sound.prefix(length))
            }
        }
    }

    @Test("Damaged bytes are refused or misread, but never crash the program")
    func damage() throws {
        let sound = [UInt8](try CompiledMappingWriter(Self.small).cdm())
        var refused = 0
        for position in sound.indices {
            for value in [0xFF, sound[position] ^ (1 << (position % 8))] {
                var damaged = sound
                damaged[position] = value
                do {
                    _ = try CompiledMappingReader().read(Data(damaged))
                } catch {
                    #expect(error is ModelFileError)
                    refused += 1
                }
            }
        }
        #expect(refused > sound.count / 2)
    }

    @Test("Wrong and cyclic references are refused or misread, and reading terminates")
    func references() throws {
        let sound = [UInt8](try CompiledMappingWriter(Self.small).cdm())
        let count = try #require(BinaryPropertyListReader.read(Data(sound))["$objects"]?.array?.count)
        try #require(count < 256)
        // A reference is the marker 0x80 and a number.
        for position in sound.indices.dropLast(33) where sound[position] == 0x80 {
            for target in stride(from: position % 3, to: count, by: 3) {
                var damaged = sound
                damaged[position + 1] = UInt8(target)
                do {
                    _ = try CompiledMappingReader().read(Data(damaged))
                } catch {
                    #expect(error is ModelFileError)
                }
            }
        }
    }
}
