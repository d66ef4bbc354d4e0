import CoreDataMemory
import CoreDataSQLite
import CoreDataStore
import Foundation

@testable import CoreDataModelFormat

/// A file made to do harm that is not a database.
struct HostileFile: Sendable {
    enum Kind: Sendable {
        case model, mapping, store, export

        func read(_ url: URL) -> HostileReading {
            switch self {
            case .model: HostileReading(model: url)
            case .mapping: HostileReading(mapping: url)
            case .store: HostileReading(store: url, model: try? HostileReading.modelFile())
            case .export:
                HostileReading(
                    export: ((try? String(contentsOf: url, encoding: .utf8)) ?? "").split(separator: "\n")
                        .map(String.init))
            }
        }
    }

    let name: String
    let kind: Kind
    /// The path that the reader is given: that of the file, or of a folder with it.
    let path: String
    /// The path of the file with the bytes.
    let file: String
    let complaint: String?
    let bytes: @Sendable () throws -> Data

    func files() throws -> [String: Data] { [file: try bytes()] }

    static let all = sources + compiled + mappings + xmlStores + binaryStores + exports

    // MARK: Model sources

    private static func source(
        _ name: String, says complaint: String?, _ text: @autoclosure @escaping @Sendable () -> String
    )
        -> HostileFile
    {
        HostileFile(
            name: name, kind: .model, path: "Sample.xcdatamodel", file: "Sample.xcdatamodel/contents",
            complaint: complaint
        ) { Data(text().utf8) }
    }

    private static func model(_ content: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(content)</model>"
    }

    private static func entities(_ count: Int, _ attributes: (Int) -> String) -> String {
        (0..<count).map { "<entity name=\"E\($0)\" \(attributes($0))/>" }.joined()
    }

    private static let sources = [
        source(
            "a source with entities that grow", says: "it declares entities",
            "<?xml version=\"1.0\"?><!DOCTYPE model [\(HostileBytes.growingEntities)]><model name=\"&e9;\"/>"),
        source(
            "a source that reads another file", says: "it declares entities",
            "<?xml version=\"1.0\"?><!DOCTYPE model [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><model name=\"&e;\"/>"
        ),
        HostileFile(
            name: "a source in another encoding, with entities that grow", kind: .model,
            path: "Sample.xcdatamodel", file: "Sample.xcdatamodel/contents", complaint: "it is no UTF-8"
        ) {
            "<?xml version=\"1.0\"?><!DOCTYPE model [\(HostileBytes.growingEntities)]><model name=\"&e9;\"/>"
                .data(using: .utf16LittleEndian) ?? Data()
        },
        source(
            "a source that hides entities in its encoding", says: "it is in the encoding UTF-7",
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE model [+ADwAIQ-ENTITY e \"a\">]><model/>"
        ),
        source(
            "a source as deep as a well", says: "malformed XML",
            String(repeating: "<model>", count: 100_000) + String(repeating: "</model>", count: 100_000)),
        source(
            "a source of one line of descent", says: "levels of entities",
            model(entities(2_000) { $0 > 0 ? "parentEntity=\"E\($0 - 1)\"" : "" })),
        source(
            "a source whose entities inherit too much", says: "properties, inherited ones included",
            model(
                "<entity name=\"Root\">"
                    + (0..<1_000).map { "<attribute name=\"p\($0)\" attributeType=\"String\"/>" }.joined()
                    + "</entity>" + entities(2_000) { _ in "parentEntity=\"Root\"" })),
        source(
            "a source whose entities are above each other", says: "its own ancestor",
            model(entities(6) { "parentEntity=\"E\(($0 + 1) % 6)\"" })),
        source(
            "a source whose composites contain each other", says: "contains itself",
            model(
                "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
                    + (0..<3).map { number in
                        "<composite name=\"C\(number)\">"
                            + (0..<3).map {
                                "<attribute name=\"a\($0)\" attributeType=\"Composite\" composite=\"C\($0)\"/>"
                            }.joined() + "</composite>"
                    }.joined())),
        source(
            "a source whose composites multiply", says: "elements of composites",
            model(
                "<entity name=\"A\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
                    + (0..<30).map { number in
                        "<composite name=\"C\(number)\">"
                            + (0..<10).map {
                                "<attribute name=\"a\($0)\" attributeType=\"\(number < 29 ? "Composite" : "String")\" "
                                    + "composite=\"C\(number + 1)\"/>"
                            }.joined() + "</composite>"
                    }.joined())),
        source(
            "a source with conditions as deep as a well", says: nil,
            model(
                "<entity name=\"A\"><attribute name=\"b\" attributeType=\"Integer 16\" derived=\"YES\" derivationExpression=\""
                    + String(repeating: "(", count: 50_000) + "b" + String(repeating: ")", count: 50_000)
                    + "\"/></entity>")),
        source(
            "a source whose numbers are absurd", says: nil,
            model(
                """
                <entity name="A"><attribute name="b" attributeType="Integer 64" defaultValueString="1e999" \
                minValueString="99999999999999999999999" maxValueString="nan"/>\
                <attribute name="d" attributeType="Date" defaultDateTimeInterval="1e300" minDateTimeInterval="nan"/>\
                <attribute name="e" attributeType="Decimal" defaultValueString="1e99999"/>\
                <relationship name="c" toMany="YES" minCount="-9223372036854775808" maxCount="9223372036854775807" \
                destinationEntity="A"/></entity>
                """)),
        HostileFile(
            name: "a source that is a pipe's worth of nothing", kind: .model, path: "Sample.xcdatamodel",
            file: "Sample.xcdatamodel/contents", complaint: "malformed XML"
        ) { Data() },
    ]

    // MARK: Compiled models

    private static func compiled(
        _ name: String, says complaint: String?, _ bytes: @autoclosure @escaping @Sendable () -> Data
    ) -> HostileFile {
        HostileFile(
            name: name, kind: .model, path: "Sample.mom", file: "Sample.mom", complaint: complaint,
            bytes: bytes)
    }

    private static let compiled = [
        compiled("a compiled model with circles", says: "malformed", HostileBytes.circularModel),
        compiled(
            "a compiled model of one line of descent", says: "levels of entities",
            HostileBytes.lineOfDescent(entities: 2_000)),
        compiled(
            "a compiled model whose entities inherit too much", says: "properties, inherited ones included",
            HostileBytes.broadDescent(properties: 1_000, entities: 2_000)),
        compiled(
            "a compiled model whose entity is its own ancestor", says: "its own ancestor",
            HostileBytes.ownAncestor),
        compiled(
            "a compiled model whose parts double at each level", says: "malformed",
            HostileBytes.doublingList(levels: 60)),
        compiled(
            "a compiled model whose parts overlap", says: "its objects overlap",
            HostileBytes.overlappingList(objects: 20_000)),
        compiled(
            "a compiled model with a predicate that doubles at each level", says: "it has too many parts",
            HostileBytes.doublingPredicate(levels: 60)),
        compiled(
            "a compiled model with absurd counts", says: "malformed",
            Data("bplist00".utf8) + Data([0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
                + HostileBytes.trailer(objects: 1, table: 8)),
        HostileFile(
            name: "a list of versions that leads out of its folder", kind: .model, path: "Sample.momd",
            file: "Sample.momd/VersionInfo.plist", complaint: "no model version"
        ) {
            try PropertyListSerialization.data(
                fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": "../../../etc/passwd"],
                format: .binary, options: 0)
        },
    ]

    // MARK: Mappings

    private static let mappings = [
        HostileFile(
            name: "a compiled mapping with circles", kind: .mapping, path: "Sample.cdm", file: "Sample.cdm",
            complaint: "is no mapping model"
        ) { HostileBytes.circularModel },
        HostileFile(
            name: "a compiled mapping whose parts overlap", kind: .mapping, path: "Sample.cdm",
            file: "Sample.cdm", complaint: "its objects overlap"
        ) { HostileBytes.overlappingList(objects: 20_000) },
        HostileFile(
            name: "a mapping with entities that grow", kind: .mapping, path: "Sample.xcmappingmodel",
            file: "Sample.xcmappingmodel/xcmapping.xml", complaint: "it declares entities"
        ) {
            Data(
                "<?xml version=\"1.0\"?><!DOCTYPE database [\(HostileBytes.growingEntities)]><database>&e9;</database>"
                    .utf8)
        },
        HostileFile(
            name: "a mapping whose objects refer to each other", kind: .mapping,
            path: "Sample.xcmappingmodel",
            file: "Sample.xcmappingmodel/xcmapping.xml", complaint: "is no mapping model"
        ) {
            Data(
                """
                <database><object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodelpath">/etc/passwd</attribute>\
                <attribute name="destinationmodelpath">../../a</attribute>\
                <relationship name="entitymappings" idrefs="z1 z1 z1"></relationship></object></database>
                """.utf8)
        },
        HostileFile(
            name: "a mapping with an archive that doubles at each level", kind: .mapping,
            path: "Sample.xcmappingmodel", file: "Sample.xcmappingmodel/xcmapping.xml",
            complaint: "is not understood"
        ) {
            let archive = HostileBytes.doublingPredicate(levels: 60, isRoot: true).base64EncodedString()
            return Data(
                """
                <database><object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodelpath">a</attribute>\
                <attribute name="destinationmodelpath">b</attribute>\
                <relationship name="entitymappings" idrefs="z2"></relationship></object>\
                <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">A</attribute>\
                <attribute name="valueexpressiondata">\(archive)</attribute></object></database>
                """.utf8)
        },
    ]

    // MARK: XML stores

    private static func xmlStore(
        _ name: String, says complaint: String?, _ change: @escaping @Sendable (inout String) -> Void
    ) -> HostileFile {
        HostileFile(
            name: name, kind: .store, path: "Sample.xml", file: "Sample.xml", complaint: complaint
        ) {
            var text = String(decoding: try SampleStore.xml.get()["Sample.xml"] ?? Data(), as: UTF8.self)
            change(&text)
            return Data(text.utf8)
        }
    }

    private static let xmlStores = [
        xmlStore("an XML store with entities that grow", says: "it declares entities") {
            $0 = $0.replacingOccurrences(
                of: "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
                with: "<!DOCTYPE database [\(HostileBytes.growingEntities)]>")
        },
        xmlStore("an XML store whose metadata are as deep as a well", says: "metadata") {
            let deep =
                String(repeating: "<array>", count: 200_000) + String(repeating: "</array>", count: 200_000)
            $0 = $0.replacingOccurrences(
                of: "<plist version=\"1.0\">", with: "<plist version=\"1.0\">\(deep)")
        },
        xmlStore("an XML store as deep as a well", says: "an object without type or id") {
            $0 = $0.replacingOccurrences(
                of: "</database>",
                with: String(repeating: "<object>", count: 100_000)
                    + String(repeating: "</object>", count: 100_000)
                    + "</database>")
        },
        xmlStore("an XML store whose keys are as high as can be", says: "has the ID") {
            $0 = $0.replacingOccurrences(of: "z102", with: "z9223372036854775807")
        },
        xmlStore("an XML store whose next key is as high as can be", says: nil) {
            $0 = $0.replacing(
                #/<nextObjectID>\d+/#, with: "<nextObjectID>9223372036854775807")
        },
        xmlStore("an XML store with negative keys", says: "has the ID") {
            $0 = $0.replacingOccurrences(of: "z102", with: "z-102")
        },
        xmlStore("an XML store whose numbers are without end", says: nil) {
            $0 = $0.replacing(#/type="double">[^<]*/#, with: "type=\"double\">1e999")
                .replacing(#/type="date">[^<]*/#, with: "type=\"date\">nan")
                .replacing(#/type="decimal">[^<]*/#, with: "type=\"decimal\">NaN")
                .replacing(#/type="float">[^<]*/#, with: "type=\"float\">-inf")
        },
        xmlStore("an XML store with texts for numbers", says: "which is no") {
            $0 = $0.replacing(#/type="int32">[^<]*/#, with: "type=\"int32\">many")
        },
        xmlStore("an XML store with the same member a thousand times", says: nil) {
            $0 = $0.replacing(#/(name="tags" [^>]*idrefs=")(\w+)/#) { match in
                match.output.1 + Array(repeating: match.output.2, count: 100_000).joined(separator: " ")
            }
        },
        xmlStore("an XML store with members of another entity", says: "which is a Author") {
            let author = $0.firstMatch(of: #/type="AUTHOR" id="(\w+)"/#)?.output.1 ?? ""
            $0 = $0.replacing(#/(name="tags" [^>]*idrefs=")\w+/#) { $0.output.1 + author }
        },
        xmlStore("an XML store with a reference to another entity", says: "which is a Tag") {
            let tag = $0.firstMatch(of: #/type="TAG" id="(\w+)"/#)?.output.1 ?? ""
            $0 = $0.replacing(#/(name="author" [^>]*idrefs=")\w+/#) { $0.output.1 + tag }
        },
        HostileFile(
            name: "an XML store that is no UTF-8", kind: .store, path: "Sample.xml", file: "Sample.xml",
            complaint: "it is no UTF-8"
        ) {
            var data = try SampleStore.xml.get()["Sample.xml"] ?? Data()
            data.insert(contentsOf: [0xFF, 0xFE, 0xC0], at: data.count - 20)
            return data
        },
    ]

    // MARK: Binary stores

    private static func binaryStore(
        _ name: String, says complaint: String?, _ write: @escaping @Sendable (inout ByteWriter) -> Void
    ) -> HostileFile {
        HostileFile(
            name: name, kind: .store, path: "Sample.binary", file: "Sample.binary", complaint: complaint
        ) {
            var writer = ByteWriter()
            writer.bytes += Data("OCDSTORE".utf8)
            writer.number(1)
            writer.text(UUID().uuidString)
            let metadata = try BinaryStoreFormat.metadata(
                of: try SampleStore.binary.get()["Sample.binary"] ?? Data())
            writer.data(metadata.plist)
            write(&writer)
            return BinaryStoreFormat.sealed(writer.bytes + Data(count: 8))
        }
    }

    private static let binaryStores = [
        binaryStore("a binary store with more entities than bytes", says: "it ends too soon") {
            $0.signed(1)
            $0.number(.max)
        },
        binaryStore("a binary store with a text longer than the file", says: "it ends too soon") {
            $0.signed(1)
            $0.number(1)
            $0.number(1 << 40)
        },
        binaryStore("a binary store whose number does not end", says: "too l") {
            $0.signed(1)
            $0.bytes += Data(repeating: 0xFF, count: 100)
        },
        binaryStore("a binary store whose highest key is as high as can be", says: nil) {
            $0.signed(.max)
            $0.number(0)
        },
        binaryStore(
            "a binary store with a member of another entity", says: "books refers to row 1 of Author"
        ) {
            $0.signed(1)
            $0.number(2)
            for (entity, toMany) in [("Author", []), ("Tag", ["books"])] {
                $0.text(entity)
                $0.number(0)
                $0.number(UInt64(toMany.count))
                for name in toMany { $0.text(name) }
            }
            // One row of each entity, and the only member of the tag.
            for _ in 0..<2 {
                $0.number(1)
                $0.signed(1)
                $0.signed(1)
            }
            $0.number(1)
            $0.number(0)
            $0.signed(1)
        },
        binaryStore("a binary store with a row of a negative key", says: "a row has the key -5") {
            $0.signed(1)
            $0.number(1)
            $0.text("Tag")
            $0.number(0)
            $0.number(0)
            $0.number(1)
            $0.signed(-5)
            $0.signed(1)
        },
    ]

    // MARK: Exports

    private static func export(_ name: String, says complaint: String?, _ text: String) -> HostileFile {
        HostileFile(
            name: name, kind: .export, path: "Sample.jsonl", file: "Sample.jsonl", complaint: complaint
        ) { Data(text.utf8) }
    }

    private static let exports = [
        export(
            "an export as deep as a well", says: "nested too deep",
            "{\"id\": " + String(repeating: "[", count: 1_000_000)),
        export(
            "an export whose model has circles", says: "line 1",
            "{\"coredata\": 1, \"model\": \"\(HostileBytes.circularModel.base64EncodedString())\"}"),
        export(
            "an export whose model is one line of descent", says: "levels of entities",
            "{\"coredata\": 1, \"model\": \"\(HostileBytes.lineOfDescent(entities: 2_000).base64EncodedString())\"}"
        ),
    ]
}
