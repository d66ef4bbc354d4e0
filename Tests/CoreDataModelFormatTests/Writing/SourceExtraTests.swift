import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Parts of a source that mean nothing")
struct SourceExtraTests {
    private static func read(_ text: String) throws -> XMLModelParser.Result {
        try XMLModelParser(file: "contents").parse(Data(text.utf8))
    }

    private static func written(_ document: ModelDocument) -> String {
        String(decoding: ModelWriter(document).contents(), as: UTF8.self)
    }

    @Test("Comments, instructions, unknown elements and attributes, blank lines and the form are kept")
    func bytes() throws {
        let spaced = extraConstructs
        let tabbed = spaced.replacing("    ", with: "\t")
        let plain = everyConstruct
        for source in [spaced, tabbed, plain, plain + "\n", "\u{FEFF}" + plain, plain + "<!--x-->"] {
            #expect(try Self.written(Self.read(source).document) == source)
            let other = source.replacing("\n", with: "\r\n")
            #expect(try Self.written(Self.read(other).document) == other)
        }
    }

    @Test("Hashes and the compiled model are those of the model without such parts")
    func meaning() throws {
        let document = try Self.read(extraConstructs).document
        let bare = document.withoutExtras
        #expect(bare != document)
        #expect(!Self.written(bare).contains("<!--"))
        #expect(VersionHashes(bare) == VersionHashes(document))
        #expect(try CompiledModelWriter(bare).mom() == CompiledModelWriter(document).mom())
        #expect(try Self.read(Self.written(bare)).document == bare)
    }

    @Test("Each unknown element and attribute is a warning with its line")
    func diagnostics() throws {
        let diagnostics = try Self.read(extraConstructs).diagnostics
        #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.message.hasSuffix("has no effect") })
        let names = ["sparkle", "other", "later", "sort", "hint", "memberEntity", "note", "future"]
        for name in names {
            let found = diagnostics.first { $0.message.contains("element <\(name)>") }
            let line = extraConstructs.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains(name == "memberEntity" ? "<memberEntity/>" : "<\(name)") }
            #expect(found?.line == line.map { $0 + 1 })
        }
        #expect(diagnostics.contains { $0.message.contains("\"shade\" of <entry>") })
    }

    @Test("A damaged source is refused, or is written as one that gives the same document")
    func damaged() throws {
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let pieces = [
            "<", ">", "/", "<!--", "-->", "\"", "'", " ", "\n", "\r", "<a>", "</a>", "<a/>", "]]>", "é",
        ]
        var read = 0
        for _ in 0..<2000 {
            var source = Array(extraConstructs.utf8)
            for _ in 0...random(3) {
                let place = random(source.count)
                let piece = Array(pieces[random(pieces.count)].utf8)
                source.replaceSubrange(place..<min(place + random(12), source.count), with: piece)
            }
            let text = String(decoding: source, as: UTF8.self)
            guard let document = try? Self.read(text).document else { continue }
            read += 1
            let again = try Self.read(Self.written(document)).document
            #expect(Self.written(again) == Self.written(document))
        }
        #expect(read > 100)
    }

    @Test("They follow an element that is renamed or moved, and stay when their neighbour is removed")
    func edits() throws {
        var document = try Self.read(extraConstructs).document
        document.entities[0].name = "Volume"
        document.entities[0].attributes.removeFirst()
        document.entities[0].uniquenessConstraints.removeLast()
        let text = Self.written(document)
        for part in [
            "<!-- what is", "<?tool", "<sparkle b=\"2\" a='1'>", "<!-- on the same line -->",
            "<!-- inside -->",
            "<!-- second -->", "<!-- last -->", "loose text", "<future", "<!-- in an entry -->",
        ] {
            #expect(text.components(separatedBy: part).count == 2, "\(part)")
        }
        #expect(
            text.contains(
                "<!-- what is\n         borrowed -->\n    <?tool keep=\"all\" ?>\n    <entity name=\"Volume\""
            ))
        #expect(text.contains("</sparkle> <!-- on the same line -->\n        <attribute name=\"title\""))
        let again = try Self.read(text).document
        #expect(again.entities[0].attributes == document.entities[0].attributes)
        #expect(Self.written(again) == text)
    }
}

extension ModelDocument {
    fileprivate var withoutExtras: ModelDocument {
        var bare = self
        bare.extras = []
        bare.form = SourceForm()
        for entity in bare.entities.indices {
            bare.entities[entity].extras = []
            for index in bare.entities[entity].attributes.indices {
                bare.entities[entity].attributes[index].extras = []
            }
            for index in bare.entities[entity].relationships.indices {
                bare.entities[entity].relationships[index].extras = []
            }
            for index in bare.entities[entity].fetchedProperties.indices {
                bare.entities[entity].fetchedProperties[index].extras = []
                bare.entities[entity].fetchedProperties[index].fetchRequest?.extras = []
            }
            for index in bare.entities[entity].fetchIndexes.indices {
                bare.entities[entity].fetchIndexes[index].extras = []
            }
        }
        for index in bare.fetchRequests.indices { bare.fetchRequests[index].extras = [] }
        for index in bare.configurations.indices { bare.configurations[index].extras = [] }
        for index in bare.composites.indices {
            bare.composites[index].extras = []
            for attribute in bare.composites[index].attributes.indices {
                bare.composites[index].attributes[attribute].extras = []
            }
        }
        return bare
    }
}
