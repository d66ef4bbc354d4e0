#if Studio
import Foundation

/// A small model as its author writes it, in a package with one version.
enum LibraryFiles {
    /// Writes the package. Returns its name.
    static func model(in folder: URL) throws -> [String] {
        let version = folder.appendingPathComponent("Library.xcdatamodeld/Library.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try contents.write(to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        return ["Library.xcdatamodeld"]
    }

    /// Without places of its entities.
    static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
        systemVersion="22G120" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
                <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="name" attributeType="String" defaultValueString=""/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" \
        inverseName="author" inverseEntity="Book"/>
            </entity>
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
                <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0" \
        usesScalarValueType="YES"/>
                <attribute name="title" attributeType="String" defaultValueString=""/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            </entity>
            <entity name="Shelf" representedClassName="Shelf" syncable="YES" codeGenerationType="class">
                <attribute name="room" optional="YES" attributeType="String"/>
            </entity>
        </model>
        """
}
#endif
