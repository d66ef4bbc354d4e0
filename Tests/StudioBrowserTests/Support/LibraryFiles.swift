#if Studio
import Foundation

/// A small model as its author writes it, in a package with one version.
enum LibraryFiles {
    /// Writes the package. Returns its name.
    static func model(in folder: URL) throws -> [String] {
        try ModelFiles.write("Library", elements, in: folder)
    }

    /// Without places of its entities.
    static let contents = ModelFiles.contents(elements)

    private static let elements = """
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
        """
}
#endif
