import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Model linter")
struct ModelLinterTests {
    @Test("A correct model has no findings")
    func sound() throws {
        let diagnostics = try lint(
            """
            <entity name="Author"><attribute name="name" attributeType="String" defaultValueString="?"/>
              <attribute name="bookCount" optional="YES" attributeType="Integer 64" derived="YES"
                derivationExpression="books.@count"/>
              <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade"
                destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
              <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
              </uniquenessConstraints></entity>
            <entity name="Book"><relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
                destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
            <fetchRequest name="byName" entity="Author" predicateString="name == $NAME"/>
            <configuration name="All"><memberEntity name="Author"/></configuration>
            """)
        #expect(diagnostics == [])
    }

    @Test("Every rule names the element, the severity and the reason", arguments: LintCase.all)
    func rules(_ lintCase: LintCase) throws {
        let diagnostics = try lint(lintCase.xml)
        let found = diagnostics.filter { $0.message.contains(lintCase.fragment) }
        #expect(found.count == 1, "\(diagnostics.map { "\($0.elementPath): \($0.message)" })")
        #expect(found.first?.elementPath == lintCase.path)
        #expect(found.first?.severity == lintCase.severity)
        #expect(found.first?.file == "Model.xcdatamodel/contents")
    }

    @Test("A diagnostic points at the line of its element")
    func line() throws {
        let diagnostics = try lint("<entity name=\"A\">\n<attribute name=\"a\"/>\n</entity>")
        #expect(diagnostics.map(\.line) == [3])
    }

    @Test("The linter also checks a model built in code, without a file")
    func inCode() {
        let attribute = AttributeElement(name: "age", type: .integer16, defaultValue: .string("old"))
        let model = ModelDocument(entities: [EntityElement(name: "Person", attributes: [attribute])])
        let diagnostics = ModelLinter(model).lint()
        #expect(diagnostics.map(\.elementPath) == ["Person.age"])
        #expect(diagnostics.first?.severity == .error)
        #expect(diagnostics.first?.line == nil)
    }

    private func lint(_ elements: String) throws -> [Diagnostic] {
        let xml =
            "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\n\(elements)</model>"
        let result = try XMLModelParser(file: "Model.xcdatamodel/contents").parse(Data(xml.utf8))
        return result.diagnostics + ModelLinter(result.document, locations: result.locations).lint()
    }
}

/// A model with one mistake and the expected diagnostic.
struct LintCase: Sendable, CustomTestStringConvertible {
    let xml: String
    let severity: Diagnostic.Severity
    let path: String
    let fragment: String

    var testDescription: String { fragment }

    init(_ severity: Diagnostic.Severity, _ path: String, _ fragment: String, _ xml: String) {
        self.xml = xml
        self.severity = severity
        self.path = path
        self.fragment = fragment
    }

    /// A case about one attribute `a` of the entity `E`.
    static func attribute(
        _ severity: Diagnostic.Severity, _ fragment: String, _ attributes: String
    ) -> LintCase {
        LintCase(
            severity, "E.a", fragment, "<entity name=\"E\"><attribute name=\"a\" \(attributes)/></entity>")
    }

    static let all = names + duplicates + references + indexes + attributes + relationships

    static let names = [
        LintCase(.error, "E", "two entities", "<entity name=\"E\"/><entity name=\"E\"/>"),
        LintCase(.error, "My Entity", "no legal entity name", "<entity name=\"My Entity\"/>"),
        LintCase(.warning, "e", "capital letter", "<entity name=\"e\"/>"),
        LintCase(
            .error, "E.isDeleted", "reserved",
            "<entity name=\"E\"><attribute name=\"isDeleted\" attributeType=\"Boolean\"/></entity>"),
        LintCase(
            .warning, "E.deleted", "hides a state",
            "<entity name=\"E\"><attribute name=\"deleted\" attributeType=\"Boolean\"/></entity>"),
        LintCase(
            .warning, "E.Name", "lower-case letter",
            "<entity name=\"E\"><attribute name=\"Name\" attributeType=\"String\"/></entity>"),
        LintCase(
            .error, "E.1st", "no legal property name",
            "<entity name=\"E\"><attribute name=\"1st\" attributeType=\"String\"/></entity>"),
        LintCase(
            .error, "E.a", "two properties",
            """
            <entity name="E"><attribute name="a" attributeType="String"/>
            <attribute name="a" attributeType="String"/></entity>
            """),
        LintCase(
            .error, "B.a", "superentity already has",
            """
            <entity name="A"><attribute name="a" attributeType="String"/></entity>
            <entity name="B" parentEntity="A"><attribute name="a" attributeType="String"/></entity>
            """),
    ]

    static let duplicates = [
        LintCase(
            .error, "configuration:C", "two configurations",
            "<configuration name=\"C\"/><configuration name=\"C\"/>"),
        LintCase(
            .error, "fetchRequest:F", "two fetch requests",
            """
            <entity name="E"/><fetchRequest name="F" entity="E"/><fetchRequest name="F" entity="E"/>
            """),
        LintCase(
            .error, "composite:C", "two composites", "<composite name=\"C\"/><composite name=\"C\"/>"),
        LintCase(
            .error, "composite:C.c", "two elements",
            """
            <composite name="C"><attribute name="c" attributeType="String"/>
            <attribute name="c" attributeType="String"/></composite>
            """),
        LintCase(
            .warning, "E.index:byA", "two indexes",
            """
            <entity name="E"><attribute name="a" attributeType="String"/>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
            </entity>
            """),
        LintCase(
            .error, "E.index:byA", "two indexes",
            """
            <entity name="E"><attribute name="a" attributeType="String"/>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="descending"/>
            </fetchIndex></entity>
            """),
    ]

    static let indexes = [
        LintCase(
            .error, "E.index:byA", "bad predicate or expression",
            """
            <entity name="E"><attribute name="a" attributeType="String"/>
            <fetchIndex name="byA" partialIndexPredicate="a ==">
            <fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex></entity>
            """),
        LintCase(
            .error, "E.index:byA", "unknown index element type",
            """
            <entity name="E"><attribute name="a" attributeType="String"/><fetchIndex name="byA">
            <fetchIndexElement property="a" type="Hash" order="ascending"/></fetchIndex></entity>
            """),
        LintCase(
            .error, "E.index:byA", "needs a property or an expression",
            """
            <entity name="E"><fetchIndex name="byA"><fetchIndexElement type="Binary" order="ascending"/>
            </fetchIndex></entity>
            """),
        LintCase(
            .error, "E", "constraint names the transient \"a\"",
            """
            <entity name="E"><attribute name="a" transient="YES"/><uniquenessConstraints>
            <uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints></entity>
            """),
        LintCase(
            .error, "E", "no attribute or to-one relationship",
            """
            <entity name="E"><relationship name="r" toMany="YES" deletionRule="Deny" destinationEntity="E"
            inverseName="r"/><uniquenessConstraints><uniquenessConstraint><constraint value="r"/>
            </uniquenessConstraint></uniquenessConstraints></entity>
            """),
    ]

    static let references = [
        LintCase(.error, "fetchRequest:F", "has no entity", "<fetchRequest name=\"F\" entity=\"\"/>"),
        LintCase(
            .error, "E", "unknown codeGenerationType", "<entity name=\"E\" codeGenerationType=\"struct\"/>"),
        LintCase(.error, "E", "unknown parent", "<entity name=\"E\" parentEntity=\"P\"/>"),
        LintCase(.error, "E", "its own ancestor", "<entity name=\"E\" parentEntity=\"E\"/>"),
        LintCase(.warning, "E", "no subentities", "<entity name=\"E\" isAbstract=\"YES\"/>"),
        LintCase(
            .error, "configuration:C", "unknown entity \"E\"",
            "<configuration name=\"C\"><memberEntity name=\"E\"/></configuration>"),
        LintCase(
            .error, "fetchRequest:F", "unknown entity \"E\"", "<fetchRequest name=\"F\" entity=\"E\"/>"),
        LintCase(
            .error, "fetchRequest:F", "bad predicate",
            "<entity name=\"E\"/><fetchRequest name=\"F\" entity=\"E\" predicateString=\"a ==\"/>"),
        LintCase(
            .error, "E", "constraint names the unknown property \"x\"",
            """
            <entity name="E"><uniquenessConstraints><uniquenessConstraint><constraint value="x"/>
            </uniquenessConstraint></uniquenessConstraints></entity>
            """),
        LintCase(
            .error, "E.index:byX", "index names the unknown property \"x\"",
            """
            <entity name="E"><fetchIndex name="byX">
            <fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex></entity>
            """),
        LintCase(
            .error, "E.f", "no fetch request", "<entity name=\"E\"><fetchedProperty name=\"f\"/></entity>"),
        LintCase(
            .error, "composite:C", "contains itself",
            """
            <composite name="C"><attribute name="c" attributeType="Composite" composite="C"/></composite>
            """),
        LintCase(.warning, "E", "unknown element <novelty>", "<entity name=\"E\"><novelty/></entity>"),
    ]

    static let attributes: [LintCase] = [
        .attribute(.error, "must have a type", ""),
        .attribute(.error, "unknown attribute type", "transient=\"YES\" attributeType=\"Integer 128\""),
        .attribute(.error, "no value of type", "attributeType=\"Integer 16\" defaultValueString=\"70000\""),
        .attribute(.warning, "minimum value \"x\"", "attributeType=\"Integer 16\" minValueString=\"x\""),
        .attribute(.error, "needs a derivation expression", "attributeType=\"Date\" derived=\"YES\""),
        .attribute(.error, "no value of type", "attributeType=\"Boolean\" defaultValueString=\"maybe\""),
        .attribute(
            .warning, "below the minimum",
            "attributeType=\"Integer 16\" minValueString=\"5\" defaultValueString=\"0\""),
        .attribute(
            .warning, "above the maximum",
            "attributeType=\"String\" maxValueString=\"2\" defaultValueString=\"abc\""),
        .attribute(
            .error, "minimum is above", "attributeType=\"Double\" minValueString=\"5\" maxValueString=\"1\""),
        .attribute(
            .error, "bad regular expression", "attributeType=\"String\" regularExpressionString=\"(\""),
        .attribute(.warning, "insecure value transformer", "attributeType=\"Transformable\""),
        .attribute(.error, "unknown composite", "attributeType=\"Composite\" composite=\"C\""),
        .attribute(
            .error, "bad derivation", "attributeType=\"Date\" derived=\"YES\" derivationExpression=\"a +\""),
        .attribute(
            .error, "unknown key \"b\"",
            "attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"b.@count\""),
        .attribute(
            .warning, "external storage", "attributeType=\"String\" allowsExternalBinaryDataStorage=\"YES\""),
        LintCase(
            .error, "E.a", "full-text index",
            "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Integer 64\"><userInfo>"
                + "<entry key=\"FullTextIndex\" value=\"YES\"/></userInfo></attribute></entity>"),
    ]

    static let relationships = [
        LintCase(
            .error, "E.r", "no destination entity",
            "<entity name=\"E\"><relationship name=\"r\" deletionRule=\"Deny\" inverseName=\"e\"/></entity>"),
        LintCase(
            .error, "E.r", "unknown deletion rule",
            """
            <entity name="E"><relationship name="r" deletionRule="Forget" destinationEntity="E"
            inverseName="r"/></entity>
            """),
        LintCase(
            .error, "E.r", "is declared to be of \"F\"",
            """
            <entity name="F"/><entity name="E"><relationship name="r" deletionRule="Deny" destinationEntity="E"
            inverseName="r" inverseEntity="F"/></entity>
            """),
        LintCase(
            .error, "E.r", "unknown destination",
            "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"X\" inverseName=\"e\"/></entity>"
        ),
        LintCase(
            .warning, "E.r", "should have an inverse",
            """
            <entity name="E"><relationship name="r" deletionRule="Cascade" destinationEntity="E"/></entity>
            """),
        LintCase(
            .warning, "E.r", "No Action",
            """
            <entity name="E"><relationship name="r" deletionRule="No Action" destinationEntity="E"
            inverseName="r"/></entity>
            """),
        LintCase(
            .error, "E.r", "no relationship of \"E\"",
            """
            <entity name="E"><relationship name="r" deletionRule="Deny" destinationEntity="E"
            inverseName="s"/></entity>
            """),
        LintCase(
            .error, "E.r", "does not have this relationship",
            """
            <entity name="E">
            <relationship name="r" deletionRule="Deny" destinationEntity="E" inverseName="s"/>
            <relationship name="s" deletionRule="Deny" destinationEntity="E" inverseName="s"/></entity>
            """),
        LintCase(
            .error, "E.r", "cannot be ordered",
            """
            <entity name="E"><relationship name="r" ordered="YES" maxCount="1" deletionRule="Deny"
            destinationEntity="E" inverseName="r"/></entity>
            """),
        LintCase(
            .error, "E.r", "minimum count 3 is above",
            """
            <entity name="E"><relationship name="r" toMany="YES" minCount="3" maxCount="2"
            deletionRule="Deny" destinationEntity="E" inverseName="r"/></entity>
            """),
    ]
}
