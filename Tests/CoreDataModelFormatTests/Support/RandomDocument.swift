import CoreDataModelFormat
import CoreDataValues
import Foundation

/// A maker of documents in which anything may be set to anything, with names that need quoting.
struct RandomDocument {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    private mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    private mutating func flag() -> Bool { below(4) == 0 }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        flag() ? value(&self) : nil
    }

    private mutating func list<Element>(_ most: Int, _ element: (inout Self) -> Element) -> [Element] {
        (0..<below(most + 1)).map { _ in element(&self) }
    }

    private static let texts = [
        "title", "Book", "index", "info", "nothing", "where", "expression", "model", "every", "a b", "a.b",
        "a,b", "-x", "^y", "[z]", "{", "}", "(int64) 5", "#no", "say \"so\"", "back\\slash", "two\nlines",
        "tab\there", "cr\r\nlf", "\u{301}e", "e\u{301}", "🙂\u{200D}x", "\u{1F3FB}", "\u{2028}", "\u{7F}", "",
        " lead", "trail ", "=", "!", "a!", "date", "string", "extra", "before", "YES", "\"", "é", "日本", "->",
        "x=>y",
    ]

    private mutating func text() -> String { pick(Self.texts) }

    private mutating func fields() -> [String: String] {
        var fields = flag() ? [:] : ["syncable": "YES"]
        if flag() { fields[text()] = text() }
        return fields
    }

    private mutating func extras() -> [SourceExtra] {
        list(1) { random in
            SourceExtra(
                parents: random.list(2) { $0.text() }, before: random.maybe { $0.text() },
                random.flag() ? .attribute(random.text(), value: random.text()) : .text(random.text()))
        }
    }

    private mutating func userInfo() -> [UserInfoEntry] {
        var entries = list(2) { UserInfoEntry(key: $0.text(), value: $0.text()) }
        if flag() { entries.insert(UserInfoEntry(key: "FullTextIndex", value: "YES"), at: 0) }
        return entries
    }

    private mutating func value(depth: Int = 0) -> AttributeValue {
        switch below(depth < 2 ? 11 : 10) {
        case 0: .boolean(flag())
        case 1: .integer(pick([0, -1, 70_000, .min, .max]))
        case 2: .double(pick([0, -0.1, 1e300, .leastNonzeroMagnitude, .infinity, 1.0 / 3]))
        case 3: .decimal(pick([0, 9.5, Decimal(string: "123456789012345678901234567890.5")!]))
        case 4: .string(text())
        case 5: .date(Date(timeIntervalSinceReferenceDate: pick([0, 0.25, -1e9, 388_411_200, 1e-7])))
        case 6: .data(Data(list(5) { UInt8($0.below(256)) }))
        case 7: .uuid(UUID(uuidString: "0F7A6C52-4E7C-4D0B-9D51-6F1C3F1C2B3A")!)
        case 8: .uri(URL(string: pick(["https://a.b/c,d?e=[f]", "x:y", "a"]))!)
        case 9: .null
        default:
            .composite(
                Dictionary(
                    list(3) { ($0.text(), $0.value(depth: depth + 1)) }.filter { !$0.1.isNull }
                ) { first, _ in first })
        }
    }

    private mutating func rules() -> [ValidationRule] {
        list(1) {
            ValidationRule(
                predicate: $0.text(), warning: $0.flag() ? .code($0.below(2000)) : .message($0.text()))
        }
    }

    private mutating func attribute() -> AttributeElement {
        var attribute = AttributeElement(
            name: text(), type: pick(AttributeType.allCases), isOptional: flag(), isTransient: flag(),
            defaultValue: value(), minimum: value(), maximum: value(), regularExpression: maybe { $0.text() },
            usesScalarType: flag(), valueTransformerName: maybe { $0.text() },
            customClassName: maybe { $0.text() }, compositeName: maybe { $0.text() },
            allowsExternalStorage: flag(), preservesValueOnDeletion: flag(), isIndexedBySpotlight: flag(),
            isStoredInExternalRecord: flag(), isIndexed: flag(), allowsCloudEncryption: flag(),
            derivationExpression: maybe { $0.text() }, renamingIdentifier: maybe { $0.text() },
            versionHashModifier: maybe { $0.text() }, userInfo: userInfo(), validationRules: rules(),
            editorAttributes: fields())
        attribute.hasEmptyUserInfo = flag()
        attribute.extras = extras()
        return attribute
    }

    private mutating func relationship() -> RelationshipElement {
        var relationship = RelationshipElement(
            name: text(), destinationName: text(), inverseName: maybe { $0.text() },
            inverseEntityName: maybe { $0.text() }, isOptional: flag(), isTransient: flag(),
            isOrdered: flag(), minimumCount: below(3), maximumCount: below(4),
            deleteRule: pick(RelationshipElement.DeleteRule.allCases), isIndexedBySpotlight: flag(),
            renamingIdentifier: maybe { $0.text() }, versionHashModifier: maybe { $0.text() },
            userInfo: userInfo(), validationRules: rules(), editorAttributes: fields())
        relationship.hasEmptyUserInfo = flag()
        relationship.extras = extras()
        if flag() {
            relationship.inverseName = text()
            relationship.inverseEntityName = relationship.destinationName
        }
        return relationship
    }

    private mutating func fetchRequest() -> FetchRequestElement {
        var request = FetchRequestElement(
            name: text(), entityName: text(), predicate: maybe { $0.text() },
            sort: list(2) { random in
                FetchRequestElement.Sort(
                    keyPath: random.text(), isAscending: random.flag(), selector: random.maybe { $0.text() })
            },
            fetchLimit: below(3), fetchOffset: below(3), fetchBatchSize: below(3), resultType: below(3),
            includesSubentities: flag(), includesPropertyValues: flag(), includesPendingChanges: flag(),
            returnsObjectsAsFaults: flag(), returnsDistinctResults: flag(),
            prefetchedKeyPaths: list(2) { $0.text() }, editorAttributes: fields())
        request.extras = extras()
        return request
    }

    private mutating func fetchedProperty() -> FetchedPropertyElement {
        var property = FetchedPropertyElement(
            name: text(), isOptional: flag(), fetchRequest: flag() ? nil : fetchRequest(),
            renamingIdentifier: maybe { $0.text() }, userInfo: userInfo(), editorAttributes: fields())
        property.hasEmptyUserInfo = flag()
        property.extras = extras()
        return property
    }

    private mutating func index() -> FetchIndexElement {
        var index = FetchIndexElement(
            name: text(),
            elements: list(3) { random in
                FetchIndexElement.Element(
                    propertyName: random.maybe { $0.text() }, expression: random.maybe { $0.text() },
                    expressionType: random.pick(AttributeType.allCases),
                    kind: random.flag() ? .rTree : .binary, isAscending: random.flag())
            },
            partialPredicate: maybe { $0.text() }, editorAttributes: fields())
        index.extras = extras()
        return index
    }

    private mutating func entity() -> EntityElement {
        var entity = EntityElement(
            name: text(), className: maybe { $0.text() }, parentName: maybe { $0.text() }, isAbstract: flag(),
            codeGeneration: pick([.manual, .class, .category]), renamingIdentifier: maybe { $0.text() },
            versionHashModifier: maybe { $0.text() }, spotlightDisplayNameExpression: maybe { $0.text() },
            userInfo: userInfo(), attributes: list(4) { $0.attribute() },
            relationships: list(3) { $0.relationship() },
            fetchedProperties: list(2) { $0.fetchedProperty() }, fetchIndexes: list(2) { $0.index() },
            compoundIndexes: list(2) { $0.list(3) { $0.text() } },
            uniquenessConstraints: list(2) { $0.list(3) { $0.text() } }, editorAttributes: fields())
        entity.hasEmptyUserInfo = flag()
        entity.extras = extras()
        return entity
    }

    private mutating func place() -> DiagramElement {
        guard !flag() else { return DiagramElement(attributes: fields()) }
        return DiagramElement(attributes: [
            "name": text(), "positionX": text(), "positionY": "-18", "width": "128", "height": "44",
        ])
    }

    mutating func next() -> ModelDocument {
        var document = ModelDocument(
            editorAttributes: fields(), versionIdentifiers: list(2) { $0.text() },
            entities: list(4) { $0.entity() }, fetchRequests: list(2) { $0.fetchRequest() },
            configurations: list(2) { random in
                var configuration = ConfigurationElement(
                    name: random.text(), entityNames: random.list(3) { $0.text() },
                    editorAttributes: random.fields())
                configuration.extras = random.extras()
                return configuration
            },
            composites: list(2) { random in
                var composite = CompositeElement(
                    name: random.text(), attributes: random.list(3) { $0.attribute() })
                composite.extras = random.extras()
                return composite
            },
            layout: list(3) { $0.place() })
        document.form.head = maybe { $0.text() }
        document.form.tail = text()
        document.form.indentation = text()
        document.form.endsLinesWithCarriageReturns = flag()
        document.extras = extras()
        return document
    }

    /// Returns the text with some characters changed, or cut off.
    mutating func damaged(_ text: String) -> String {
        let signs = Array("\"\\[](){}=!,.:-^>#u \n\t\u{301}9a")
        var characters = Array(text)
        for _ in 0...below(4) {
            let index = below(characters.count)
            switch below(3) {
            case 0: characters.remove(at: index)
            case 1: characters.insert(pick(signs), at: index)
            default: characters[index] = pick(signs)
            }
        }
        return String(below(5) == 0 ? characters[..<below(characters.count)] : characters[...])
    }
}
