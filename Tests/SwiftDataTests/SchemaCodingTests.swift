#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Schemas in files")
struct SchemaCodingTests {
    private static let schemas: [@Sendable () -> Schema] = [
        { Schema(Trip.self, version: Schema.Version(2, 1, 0)) }, { Schema(Everything.self) },
        { Schema(Vehicle.self, Truck.self, Crane.self, Bicycle.self) }, { Schema(Parcel.self) },
    ]

    private func copy(_ schema: Schema) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    }

    @Test(
        "A schema that was written is read as an equal one, of which the same stores are made",
        arguments: 0..<4)
    func coding(index: Int) throws {
        let schema = Self.schemas[index]()
        let read = try copy(schema)
        #expect(read == schema && read.version == schema.version && read.hashValue == schema.hashValue)
        func hashes(_ schema: Schema) throws -> [String: Data] {
            try NSManagedObjectModel.makeManagedObjectModel(for: schema).entityVersionHashesByName
        }
        #expect(try hashes(read) == hashes(schema))
        for (entity, own) in zip(read.entities, schema.entities) {
            #expect(entity.superentity?.name == own.superentity?.name)
            #expect(entity.subentities.map(\.name) == own.subentities.map(\.name))
            for (name, relationship) in entity.relationshipsByName {
                let other = try #require(own.relationshipsByName[name])
                #expect(
                    relationship.keypath == other.keypath && relationship.inverseName == other.inverseName)
            }
        }
    }

    @Test("A schema is saved to a file and loaded from it, and a container is made of it")
    func files() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let file = store.url.deletingLastPathComponent().appending(path: "schema.json")
        try Schema(Trip.self).save(to: file)
        let schema = try Schema.load(from: file)
        #expect(schema == Schema(Trip.self))
        for code in ["A", "B"] {
            let container = try ModelContainer(
                for: schema, configurations: ModelConfiguration(url: store.url))
            let context = ModelContext(container)
            context.insert(Trip(code: code, name: "Alps", guide: Guide(name: "Ada")))
            try context.save()
        }
        let found = try ModelContext(try store.container(Trip.self)).fetch(FetchDescriptor<Trip>())
        #expect(found.map(\.code).sorted() == ["A", "B"] && found.allSatisfy { $0.guide?.name == "Ada" })
    }

    @Test("Default values are written, and do not count when schemas are compared")
    func defaultValues() throws {
        func schema(_ value: Any?) -> Schema {
            Schema(
                Schema.Entity(
                    "Thing",
                    properties: Schema.Attribute(name: "a", valueType: Int?.self, defaultValue: value)))
        }
        let read = try copy(schema(7))
        #expect(read.entities.first?.attributesByName["a"]?.defaultValue as? Int == 7)
        #expect(try copy(schema(Int?.none as Any)).entities.first?.attributesByName["a"]?.defaultValue == nil)
        #expect(schema(7) == schema(8) && schema(7) == schema(nil))
        #expect(Schema(Guide.self) == Schema(Guide.self))
    }

    @Test("Schemas that differ in a version, a name, a type, an option or a rule are not equal")
    func differences() {
        func attribute(
            _ name: String = "a", was original: String? = nil, _ type: Any.Type = Int.self,
            _ options: [Schema.Attribute.Option] = [], hash: String? = nil
        ) -> Schema.Attribute {
            Schema.Attribute(
                name: name, originalName: original, options: options, valueType: type, hashModifier: hash)
        }
        func relationship(_ rule: Schema.Relationship.DeleteRule, maximum: Int = 0) -> Schema.Relationship {
            Schema.Relationship(
                name: "a", valueType: [Any].self, destination: "Thing", deleteRule: rule,
                maximumModelCount: maximum)
        }
        let entities = [
            Schema.Entity("Thing", properties: attribute()), Schema.Entity("Other", properties: attribute()),
            Schema.Entity("Thing", properties: attribute("b")),
            Schema.Entity("Thing", properties: attribute(was: "b")),
            Schema.Entity("Thing", properties: attribute("a", String.self)),
            Schema.Entity("Thing", properties: attribute("a", Int?.self)),
            Schema.Entity("Thing", properties: attribute("a", Int.self, [.externalStorage])),
            Schema.Entity("Thing", properties: attribute(hash: "2")),
            Schema.Entity("Thing", properties: attribute(), attribute("b")),
            Schema.Entity("Thing", properties: [attribute()], indices: [["a"]]),
            Schema.Entity("Thing", properties: [attribute()], uniquenessConstraints: [["a"]]),
            Schema.Entity("Thing", properties: relationship(.nullify)),
            Schema.Entity("Thing", properties: relationship(.cascade)),
            Schema.Entity("Thing", properties: relationship(.nullify, maximum: 3)),
        ]
        #expect(Set(entities).count == entities.count)
        #expect(Schema(entities[0]) != Schema(entities[1]))
        #expect(Schema(entities[0]) != Schema(entities[0], version: Schema.Version(2, 0, 0)))
        #expect(Schema(entities[0]) == Schema(Schema.Entity("Thing", properties: attribute())))
    }

    @Test("A schema names its form; one without is of the first form, and one of a later form is an error")
    func forms() throws {
        let schema = Schema(Guide.self)
        #expect(schema.schemaEncodingVersion == schema.encodingVersion)
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(schema)) as? [String: Any])
        func read() throws -> Schema {
            try JSONDecoder().decode(Schema.self, from: JSONSerialization.data(withJSONObject: object))
        }
        var form = try #require(object["encodingVersion"] as? [String: Any])
        form["minor"] = 7
        object["encodingVersion"] = form
        #expect(try read().schemaEncodingVersion == Schema.Version(1, 7, 0))
        form["major"] = 2
        object["encodingVersion"] = form
        let error = #expect(throws: DecodingError.self) { try read() }
        #expect(error.map { "\($0)".contains("the schema has the form 2.7.0") } == true)
        object["encodingVersion"] = nil
        let old = try read()
        #expect(old.schemaEncodingVersion == Schema.Version(1, 0, 0) && old == schema)
    }

    @Test("A schema with a type that the program lacks is an error that names it")
    func unknownTypes() throws {
        let text = try #require(String(data: JSONEncoder().encode(Schema(Guide.self)), encoding: .utf8))
        let name = try #require(_mangledTypeName(Guide.self))
        for (present, absent) in [
            (name, "4Gone5GuideC"), (try #require(_mangledTypeName(UUID.self)), "4Gone2IDV"),
        ] {
            #expect(text.contains("\"\(present)\""))
            let changed = text.replacing("\"\(present)\"", with: "\"\(absent)\"")
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Schema.self, from: Data(changed.utf8))
            }
            #expect(error.map { "\($0)".contains(absent) } == true)
        }
    }
}
#endif
