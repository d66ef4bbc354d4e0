import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("The full-text index option")
struct FullTextOptionTests {
    private let contents = """
        <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel">
        <entity name="Note" representedClassName="Note" syncable="YES">
        <attribute name="body" optional="YES" attributeType="String"><userInfo>
        <entry key="FullTextIndex" value="YES"/></userInfo></attribute>
        <attribute name="title" optional="YES" attributeType="String"><userInfo>
        <entry key="FullTextIndex" value="NO"/></userInfo></attribute>
        <attribute name="town" optional="YES" attributeType="String"/></entity></model>
        """

    private func indexed(_ document: ModelDocument) -> [String] {
        document.entities.flatMap(\.attributes).filter(\.isFullTextIndexed).map(\.name)
    }

    @Test("The option is read from Xcode's models and kept in .xcdatamodel, .mom and model cache")
    func files() throws {
        let document = try XMLModelParser(file: "contents").parse(Data(contents.utf8)).document
        #expect(indexed(document) == ["body"])
        #expect(ModelLinter(document).lint() == [])
        let written = ModelWriter(document).contents()
        #expect(indexed(try XMLModelParser(file: "contents").parse(written).document) == ["body"])
        let writer = CompiledModelWriter(document)
        for archive in [try writer.mom(), try writer.modelCache()] {
            #expect(indexed(try CompiledModelReader().read(archive).document) == ["body"])
        }
    }
}
