import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Version hashes")
struct VersionHashTests {
    @Test("The worked example of the specification has exactly these bytes and hashes")
    func workedExample() {
        let user = EntityElement(
            name: "User",
            attributes: [
                AttributeElement(name: "petName", type: .string, isOptional: true),
                AttributeElement(name: "name", type: .string),
            ])
        let hashes = VersionHashes(ModelDocument(entities: [user]))
        #expect(
            hashes.byEntity["User"]?.base64EncodedString() == "azH06XtpHRbEyCC65V+JQI1HATvUIVHs/eHqx/5L55g=")
        #expect(hashes.checksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
        let digest =
            "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg=="
        #expect(hashes.digest == digest)
    }

    @Test("A relationship hashes its destination, inverse and counts")
    func relationship() {
        let owner = RelationshipElement(
            name: "owner", destinationName: "User", inverseName: "pet", inverseEntityName: "User",
            isOptional: true)
        let hash = owner.versionHash(in: "Pet").map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hash == "431f6f1bba544821111be3775dd3a03ddbc8962f0e0ccfd5b5694e59ecf6447c")
    }

    @Test("Settings that Apple does not hash do not change the hash")
    func irrelevant() {
        var attribute = AttributeElement(name: "name", type: .string)
        let hash = attribute.versionHash(in: [])
        attribute.defaultValue = .string("x")
        attribute.usesScalarType = true
        attribute.isIndexed = true
        attribute.renamingIdentifier = "old"
        #expect(attribute.versionHash(in: []) == hash)
        attribute.versionHashModifier = "2"
        #expect(attribute.versionHash(in: []) != hash)
    }

    @Test("Entities that inherit from each other still get a hash")
    func cycle() {
        let model = ModelDocument(entities: [
            EntityElement(name: "A", parentName: "B"), EntityElement(name: "B", parentName: "A"),
        ])
        #expect(VersionHashes(model).byEntity.count == 2)
    }

    @Test(
        "Real source models have the hashes recorded in their stores", .enabled(if: Corpus.isPresent),
        arguments: try HashPair.all())
    func pairs(_ pair: HashPair) throws {
        for source in pair.sources {
            let data = try Data(contentsOf: Corpus.url(source))
            let hashes = VersionHashes(try XMLModelParser(file: source).parse(data).document)
            #expect(hashes.byEntity.mapValues { $0.base64EncodedString() } == pair.hashes, "\(source)")
            if let digest = pair.digest { #expect(hashes.digest == digest, "\(source)") }
            if let checksum = pair.checksum { #expect(hashes.checksum == checksum, "\(source)") }
        }
    }
}
