#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Schemas and what is made of them")
struct SchemaModelTests {
    private func entity(_ properties: any SchemaProperty...) throws -> NSEntityDescription {
        let schema = Schema([Schema.Entity("Thing", properties: properties)])
        return try #require(try NSManagedObjectModel.makeManagedObjectModel(for: schema).entities.first)
    }

    @Test(
        "Swift types are kept in the forms that Apple's stores have for them",
        arguments: [
            ("Int", Int.self, NSAttributeType.integer64AttributeType),
            ("Int64", Int64.self, .integer64AttributeType),
            ("UInt64", UInt64.self, .integer64AttributeType), ("Int32", Int32.self, .integer32AttributeType),
            ("UInt32", UInt32.self, .integer32AttributeType), ("UInt8", UInt8.self, .integer16AttributeType),
            ("Bool", Bool.self, .booleanAttributeType), ("String", String.self, .stringAttributeType),
            ("Date", Date.self, .dateAttributeType), ("Data", Data.self, .binaryDataAttributeType),
            ("UUID", UUID.self, .UUIDAttributeType), ("URL", URL.self, .URIAttributeType),
            ("Double", Double.self, .doubleAttributeType), ("Float", Float.self, .floatAttributeType),
            ("Decimal", Decimal.self, .decimalAttributeType),
        ] as [(String, Any.Type, NSAttributeType)])
    func types(_ name: String, _ type: Any.Type, _ expected: NSAttributeType) throws {
        let made = try #require(
            try entity(Schema.Attribute(name: "value", valueType: type)).attributesByName["value"])
        #expect(made.attributeType == expected)
        #expect(!made.isOptional)
    }

    @Test("An optional type makes an optional attribute")
    func optional() throws {
        let made = try entity(Schema.Attribute(name: "value", valueType: Int?.self))
        #expect(made.attributesByName["value"]?.isOptional == true)
        #expect(made.attributesByName["value"]?.attributeType == .integer64AttributeType)
    }

    @Test("Default values are those of the attribute, nil among them")
    func defaults() throws {
        let made = try entity(
            Schema.Attribute(name: "small", valueType: UInt8.self, defaultValue: UInt8(7)),
            Schema.Attribute(name: "none", valueType: Int?.self, defaultValue: Int?.none as Any),
            Schema.Attribute(name: "text", valueType: String?.self, defaultValue: "a" as String?))
        #expect(made.attributesByName["small"]?.defaultValue as? Int == 7)
        #expect(made.attributesByName["none"]?.defaultValue == nil)
        #expect(made.attributesByName["text"]?.defaultValue as? String == "a")
    }

    @Test("Every entity and property carries the name it had, by which migrations find it")
    func originalNames() throws {
        let made = try entity(
            Schema.Attribute(name: "title", originalName: "name", valueType: String.self),
            Schema.Attribute(name: "size", valueType: Int.self))
        #expect(made.renamingIdentifier == "Thing")
        #expect(made.attributesByName["title"]?.renamingIdentifier == "name")
        #expect(made.attributesByName["size"]?.renamingIdentifier == "size")
    }

    @Test("A type that stores cannot keep is an error that names the property")
    func unknownType() {
        let error = #expect(throws: SwiftDataError.self) {
            try entity(Schema.Attribute(name: "range", valueType: Range<Substring>.self))
        }
        #expect(error.map { "\($0)".contains("Thing.range has the type Range<Substring>") } == true)
    }

    @Test("A relationship to a model outside of the schema is an error that names both")
    func unknownDestination() {
        let error = #expect(throws: SwiftDataError.self) {
            try entity(Schema.Relationship(name: "owner", valueType: Any?.self, destination: "Person"))
        }
        #expect(error.map { "\($0)".contains("Thing.owner leads to Person") } == true)
    }

    @Test("An inverse that does not lead back is an error that names both sides")
    func wrongInverse() {
        let error = #expect(throws: SwiftDataError.self) {
            try entity(
                Schema.Relationship(
                    name: "owner", valueType: Any?.self, destination: "Thing", inverseName: "missing"))
        }
        #expect(error.map { "\($0)".contains("Thing.owner has the inverse Thing.missing") } == true)
    }

    @Test("Two relationships cannot have the same inverse, and the error names all three")
    func sharedInverse() {
        func relationship(_ name: String, inverse: String? = nil) -> Schema.Relationship {
            Schema.Relationship(
                name: name, valueType: [Any].self, destination: "Thing", inverseName: inverse)
        }
        let error = #expect(throws: SwiftDataError.self) {
            try entity(relationship("a", inverse: "c"), relationship("b", inverse: "c"), relationship("c"))
        }
        #expect(
            error.map { "\($0)" }?.contains(
                "Thing.b has the inverse Thing.c, whose own inverse is Thing.a") == true)
    }

    @Test("Two classes of the same name are an error")
    func sameNames() {
        #expect(throws: SwiftDataError.self) {
            try NSManagedObjectModel.makeManagedObjectModel(
                for: Schema(Schema.Entity("A"), Schema.Entity("A")))
        }
    }

    @Test("A new store has the tables, indexes and metadata of one that Apple's SwiftData makes")
    func store() throws {
        let schema = Schema([
            Schema.Entity(
                "Trip",
                properties: [
                    Schema.Attribute(name: "code", options: [.unique], valueType: String.self),
                    Schema.Attribute(name: "city", valueType: String.self),
                    Schema.Attribute(name: "day", valueType: Date.self),
                ], uniquenessConstraints: [["city", "day"]], indices: [["city"], ["day", "city"]])
        ])
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        #expect(model.configurations == ["default"])
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "default.store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "default", at: url)
        #expect(store.metadata["NSStoreModelVersionIdentifiers"] as? [String] == ["1.0.0"])
        let bytes = try #require(String(data: Data(contentsOf: url), encoding: .isoLatin1))
        for definition in [
            "CREATE UNIQUE INDEX Z_Trip_UNIQUE_code ON ZTRIP (ZCODE COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX Z_Trip_UNIQUE_city_day ON ZTRIP "
                + "(ZCITY COLLATE BINARY ASC, ZDAY COLLATE BINARY ASC)",
            "CREATE INDEX Z_Trip_SwiftDataIndexOnBinarycity ON ZTRIP (ZCITY COLLATE BINARY ASC)",
            "CREATE INDEX Z_Trip_SwiftDataIndexOnBinarydaycity ON ZTRIP "
                + "(ZDAY COLLATE BINARY ASC, ZCITY COLLATE BINARY ASC)",
        ] { #expect(bytes.contains(definition)) }
    }

    @Test("A relationship of a class has its key path")
    func keyPath() {
        let trip = Schema(Trip.self).entitiesByName["Trip"]
        #expect(trip?.relationshipsByName["stays"]?.keypath == \Trip.stays)
    }
}
#endif
