import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Reading contents files")
struct XMLModelParserTests {
    let result: XMLModelParser.Result
    var album: EntityElement { result.document.entities[0] }
    var track: EntityElement { result.document.entities[2] }

    init() throws {
        result = try XMLModelParser(file: "contents").parse(Data(everyConstruct.utf8))
    }

    @Test("A model that uses every feature is read without a diagnostic")
    func diagnostics() {
        #expect(result.diagnostics == [])
    }

    @Test("A model is read with its version identifier, its parts and the editor's own settings")
    func model() {
        let document = result.document
        #expect(document.versionIdentifiers == ["7"])
        #expect(document.entities.map(\.name) == ["Album", "LiveAlbum", "Track"])
        #expect(document.configurations.first?.entityNames == ["Album", "Track"])
        #expect(document.composites.first?.attributes.map(\.name) == ["latitude", "name"])
        #expect(document.layout.first?.attributes["positionX"] == "-63")
        #expect(document.editorAttributes["sourceLanguage"] == "Swift")
    }

    @Test("Entities are read with class, parent, renaming, modifier, constraints and user info")
    func entities() {
        #expect(album.className == ".Album")
        #expect(album.isAbstract)
        #expect(album.codeGeneration == .class)
        #expect(album.renamingIdentifier == "Record")
        #expect(album.versionHashModifier == "2")
        #expect(album.uniquenessConstraints == [["title", "released"], ["uuid"]])
        #expect(album.compoundIndexes == [["title", "released"]])
        #expect(album.userInfo == [UserInfoEntry(key: "plural", value: "Albums")])
        #expect(album.editorAttributes == ["syncable": "YES"])
        #expect(result.document.entities[1].parentName == "Album")
        #expect(track.className == nil)
        #expect(track.codeGeneration == .category)
    }

    @Test("Defaults and limits have the type of their attribute, limits of strings are lengths")
    func values() throws {
        let attributes = Dictionary(uniqueKeysWithValues: album.attributes.map { ($0.name, $0) })
        #expect(attributes["isLive"]?.defaultValue == .boolean(false))
        #expect(attributes["isLive"]?.usesScalarType == true)
        #expect(attributes["price"]?.defaultValue == .decimal(Decimal(string: "9.5")!))
        #expect(attributes["price"]?.maximum == .decimal(Decimal(string: "99.5")!))
        let date = Date(timeIntervalSinceReferenceDate: 388_411_200)
        #expect(attributes["released"]?.defaultValue == .date(date))
        #expect(attributes["released"]?.minimum == .date(Date(timeIntervalSinceReferenceDate: 0)))
        #expect(attributes["title"]?.defaultValue == .string("A \"new\" <one> & more"))
        #expect(attributes["title"]?.minimum == .integer(3))
        #expect(attributes["title"]?.regularExpression == "[A-Z].*")
        #expect(attributes["title"]?.userInfo == [UserInfoEntry(key: "note", value: "two\nlines")])
    }

    @Test("The kinds of attributes are distinguished")
    func kinds() {
        let attributes = Dictionary(uniqueKeysWithValues: album.attributes.map { ($0.name, $0) })
        #expect(attributes["anything"]?.type == .undefined)
        #expect(attributes["anything"]?.isTransient == true)
        #expect(attributes["cover"]?.allowsExternalStorage == true)
        #expect(attributes["place"]?.compositeName == "Place")
        #expect(attributes["tags"]?.valueTransformerName == "NSSecureUnarchiveFromData")
        #expect(attributes["tags"]?.customClassName == "[String]")
        #expect(attributes["trackCount"]?.derivationExpression == "tracks.@count")
        #expect(attributes["uuid"]?.preservesValueOnDeletion == true)
        #expect(attributes["uuid"]?.allowsCloudEncryption == true)
    }

    @Test("Relationships are read with their counts, order, delete rule and inverse")
    func relationships() {
        let tracks = album.relationships[0]
        #expect((tracks.minimumCount, tracks.maximumCount) == (1, 40))
        #expect(tracks.isOrdered)
        #expect(tracks.isToMany)
        #expect(tracks.isOptional)
        #expect(tracks.deleteRule == .cascade)
        #expect(tracks.inverseName == "album")
        let owner = track.relationships[0]
        #expect(!owner.isToMany)
        #expect(!owner.isOptional)
        #expect(owner.deleteRule == .deny)
        #expect(owner.versionHashModifier == "9")
        #expect(track.relationships[1].maximumCount == 0)
        #expect(track.relationships[1].deleteRule == .noAction)
    }

    @Test("Indexes, fetched properties and fetch request templates are read completely")
    func requests() {
        #expect(album.fetchIndexes.map(\.name) == ["byTitle", "byPlace"])
        #expect(album.fetchIndexes[0].elements[0].isAscending == false)
        #expect(album.fetchIndexes[0].elements[1].expression == "length:(title)")
        #expect(album.fetchIndexes[0].elements[1].expressionType == .integer64)
        #expect(album.fetchIndexes[1].elements[0].kind == .rTree)
        #expect(album.fetchIndexes[1].partialPredicate == "isLive == 1")
        let request = album.fetchedProperties[0].fetchRequest
        #expect(request?.predicate == "album == $FETCH_SOURCE AND length > 600")
        let template = result.document.fetchRequests[0]
        #expect((template.fetchLimit, template.fetchBatchSize, template.resultType) == (10, 5, 1))
        #expect(!template.includesSubentities)
        #expect(!template.returnsObjectsAsFaults)
        #expect(template.includesPropertyValues)
        #expect(!template.returnsDistinctResults)
    }

    @Test("Every element has the number of its line")
    func lines() {
        #expect(result.locations.lines["Album"] == 3)
        #expect(result.locations.lines["Album.anything"] == 4)
        #expect(result.locations.lines["Album.tracks"].map { $0 > 4 } == true)
        #expect(result.locations.lines["fetchRequest:byTitle"] != nil)
    }

    @Test("Writing the model gives the same file")
    func writing() {
        #expect(String(decoding: ModelWriter(result.document).contents(), as: UTF8.self) == everyConstruct)
    }

    @Test("Empty user info, both forms of a date and the final line break are kept")
    func leftovers() throws {
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="E" representedClassName="E" syncable="YES">
                    <attribute name="a" optional="YES" attributeType="Date" defaultDateTimeInterval="0.5" \
            defaultValueString="once upon a time" usesScalarValueType="NO">
                        <userInfo/>
                    </attribute>
                    <relationship name="r" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="E">
                        <userInfo/>
                    </relationship>
                    <fetchedProperty name="f" optional="YES">
                        <fetchRequest name="fetchedPropertyFetchRequest" entity="E"/>
                        <userInfo/>
                    </fetchedProperty>
                    <userInfo/>
                </entity>
            </model>
            """
        for source in [source, source + "\n"] {
            let document = try XMLModelParser(file: "contents").parse(Data(source.utf8)).document
            #expect(String(decoding: ModelWriter(document).contents(), as: UTF8.self) == source)
        }
    }

    @Test("Compiling and reading a model back loses only the editor's own settings")
    func compiling() throws {
        for data in [
            try CompiledModelWriter(result.document).mom(),
            try CompiledModelWriter(result.document).modelCache(),
        ] {
            let again = try CompiledModelReader().read(data)
            #expect(again.diagnostics == [])
            #expect(differences(meaning(of: result.document), meaning(of: again.document)) == [])
            #expect(VersionHashes(again.document) == VersionHashes(result.document))
        }
    }

    @Test("A file that is not XML, or not a model, is an error with its line")
    func malformed() {
        let broken = #expect(throws: ModelFileError.self) {
            try XMLModelParser(file: "contents").parse(Data("<model>\n<entity>\n</model>".utf8))
        }
        #expect(broken?.line == 3)
        let other = #expect(throws: ModelFileError.self) {
            try XMLModelParser(file: "contents").parse(Data("<svg/>".utf8))
        }
        #expect(other?.description.contains("<svg>") == true)
        #expect(throws: ModelFileError.self) { try XMLModelParser(file: "contents").parse(Data()) }
    }

    @Test("Unknown attributes are kept, and unknown elements are reported")
    func unknown() throws {
        let xml =
            "<model><entity name=\"E\" shiny=\"YES\"><sparkle/><attribute name=\"a\" glow=\"3\"/></entity></model>"
        let result = try XMLModelParser(file: "contents").parse(Data(xml.utf8))
        #expect(result.document.entities[0].editorAttributes == ["shiny": "YES"])
        #expect(result.document.entities[0].attributes[0].editorAttributes == ["glow": "3"])
        #expect(result.diagnostics.map(\.severity) == [.warning])
        #expect(result.diagnostics.first?.message.contains("<sparkle>") == true)
        let written = String(decoding: ModelWriter(result.document).contents(), as: UTF8.self)
        #expect(written.contains("glow=\"3\""))
    }
}
