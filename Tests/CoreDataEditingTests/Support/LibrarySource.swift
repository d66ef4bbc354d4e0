import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// A model as the editor writes it, with some of everything that is merged.
let librarySource = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
    systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
    userDefinedModelVersionIdentifier="">
        <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="name" attributeType="String" defaultValueString="Anon">
                <userInfo>
                    <entry key="label" value="Name"/>
                </userInfo>
            </attribute>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <!-- the core -->
        <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="isbn" optional="YES" attributeType="String"/>
            <!-- counted by hand -->
            <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0" \
    usesScalarValueType="YES"/>
            <attribute name="title" optional="YES" attributeType="String" maxValueString="200"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            <fetchIndex name="byTitle">
                <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
            <userInfo>
                <entry key="plural" value="Books"/>
                <entry key="shelf" value="3"/>
            </userInfo>
        </entity>
        <entity name="Comic" representedClassName="Comic" parentEntity="Book" syncable="YES" \
    codeGenerationType="class">
            <attribute name="colors" optional="YES" attributeType="Integer 16" defaultValueString="4" \
    usesScalarValueType="YES"/>
        </entity>
        <fetchRequest name="long" entity="Book" predicateString="pages &gt; 500"/>
        <configuration name="Shelf">
            <memberEntity name="Book"/>
            <memberEntity name="Comic"/>
        </configuration>
        <elements>
            <element name="Author" positionX="0" positionY="0" width="128" height="88"/>
            <element name="Book" positionX="200" positionY="0" width="128" height="103"/>
            <element name="Comic" positionX="200" positionY="200" width="128" height="58"/>
        </elements>
    </model>
    """.replacing("&gt;", with: ">")

extension ModelDocument {
    init(source: String) throws {
        self = try XMLModelParser(file: "contents").parse(Data(source.utf8)).document
    }

    static func library() throws -> ModelDocument { try ModelDocument(source: librarySource) }

    /// The document with text replaced in its source.
    func replacing(_ changes: (String, String)...) throws -> ModelDocument {
        var text = source
        for (old, new) in changes {
            precondition(text.contains(old), "no \(old)")
            text = text.replacing(old, with: new)
        }
        return try ModelDocument(source: text)
    }

    /// The source line by line, which makes differences readable.
    var lines: [Substring] { source.split(separator: "\n", omittingEmptySubsequences: false) }

    var source: String { String(decoding: ModelWriter(self).contents(), as: UTF8.self) }
}
