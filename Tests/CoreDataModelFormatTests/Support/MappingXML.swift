import CoreDataPredicates
import Foundation

@testable import CoreDataModelFormat

/// The text of an `xcmapping.xml`, composed object by object.
struct MappingXML {
    private var objects = ""
    private var number = 101

    /// Adds an object with attributes as the editor writes them and references by number, and returns its
    /// number.
    mutating func object(
        _ entity: String, _ attributes: [(String, String)],
        _ references: [(String, [Int])] = []
    ) -> Int {
        number += 1
        objects += "    <object type=\"\(entity)\" id=\"z\(number)\">\n"
        for (name, text) in attributes {
            let type = name.hasSuffix("data") ? "binary" : "string"
            objects += "        <attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>\n"
        }
        for (name, numbers) in references {
            let ids = numbers.map { "z\($0)" }.joined(separator: " ")
            objects +=
                "        <relationship name=\"\(name)\" type=\"0/0\" idrefs=\"\(ids)\"></relationship>\n"
        }
        objects += "    </object>\n"
        return number
    }

    mutating func attribute(_ name: String, _ more: [(String, String)] = []) -> Int {
        property("XDDEVATTRIBUTEMAPPING", name, more)
    }

    mutating func relationship(_ name: String, _ more: [(String, String)] = []) -> Int {
        property("XDDEVRELATIONSHIPMAPPING", name, more)
    }

    private mutating func property(
        _ entity: String, _ name: String, _ more: [(String, String)]
    ) -> Int {
        object(entity, [("name", name)] + more)
    }

    mutating func entity(
        _ attributes: [(String, String)], attributes mapped: [Int] = [],
        relationships: [Int] = []
    ) -> Int {
        object(
            "XDDEVENTITYMAPPING", attributes,
            [("attributemappings", mapped), ("relationshipmappings", relationships)])
    }

    mutating func model(
        _ entities: [Int], from source: String = "App/Music.xcdatamodeld/Music.xcdatamodel",
        to destination: String = "App/Music.xcdatamodeld/Music 2.xcdatamodel"
    ) {
        _ = object(
            "XDDEVMAPPINGMODEL",
            [
                ("sourcemodelpath", source), ("sourcemodeldata", "AAAA"),
                ("destinationmodelpath", destination),
            ],
            [("entitymappings", entities)])
    }

    var data: Data {
        Data(
            """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>AA6D1F4F-8F6A-4B3A-9C1F-0A4C2D7C9B11</UUID>
                    <nextObjectID>\(number)</nextObjectID>
                    <metadata></metadata>
                </databaseInfo>
            \(objects)</database>
            """.utf8)
    }

    /// Returns an expression as the editor stores it: an archive, wrapped into lines.
    static func expression(_ text: String) throws -> String {
        var archive = ArchiveBuilder()
        let root = try archive.expression(FormatParser.expression(text))
        return archive.data(root: root).base64EncodedString(options: .lineLength64Characters) + "\n"
    }
}
