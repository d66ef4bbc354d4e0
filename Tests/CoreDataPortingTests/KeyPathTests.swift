#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import CoreDataValues
import Testing

@Suite("Porting key paths")
struct KeyPathTests {
    private let sources = [
        "Classes.swift": """
        import CoreData
        import Places
        class Person: NSManagedObject {
            @NSManaged var name: String
            @NSManaged var friends: Set<Person>
            @NSManaged var address: Address?
            @NSManaged var place: Place
            @NSManaged var clubs: NSOrderedSet?
            @NSManaged var others: NSSet
            @objc(isGrown) var grown: Bool { true }
            var guessed = 1
        }
        class Student: Person { @NSManaged var school: String }
        enum Models { class Address: NSManagedObject { @NSManaged var street: String } }
        typealias Address = Models.Address
        protocol Named { var title: String { get } }
        """
    ]

    private let documents = [
        ModelDocument(entities: [
            EntityElement(
                name: "Team", className: "Team", codeGeneration: .class,
                attributes: [AttributeElement(name: "motto", type: .string)],
                relationships: [
                    RelationshipElement(name: "leader", destinationName: "Person", maximumCount: 1),
                    RelationshipElement(name: "members", destinationName: "Person", maximumCount: 0),
                ]
            ),
            EntityElement(name: "Club", className: "Club", parentName: "Team", codeGeneration: .class),
            EntityElement(
                name: "Person", className: "Person", codeGeneration: .manual,
                relationships: [
                    RelationshipElement(name: "clubs", destinationName: "Club", maximumCount: 0)
                ]),
        ])
    ]

    private func port(_ source: String) throws -> FilePort {
        let overlay = overlay(
            sources.merging(["Use.swift": source]) { $1 }, documents: documents,
            dependencies: [
                "Places":
                    "open class Place: NSObject { public var city: Town?; } public class Town { public var code = \"\" }"
            ])
        let port = try #require(overlay.ports.last)
        #expect(displacedTokens(of: port) == [])
        return port
    }

    @Test(
        "A key path becomes the names of its properties, without the types before them",
        arguments: [
            "Person.name": "name",
            "App.Person.name": "name",
            "Person.friends.name": "friends.name",
            "Person.friends.address.street": "friends.address.street",
            "Models.Address.street": "street",
            "Address.street": "street",
            "Student.name": "name",
            "Student.school": "school",
            "Person.grown": "isGrown",
            "Person.guessed": "guessed",
            "Person.place.city.code": "place.city.code",
            "Team.motto": "motto",
            "Club.motto": "motto",
            "Club.leader.friends.name": "leader.friends.name",
            "Club.members.friends.name": "members.friends.name",
            "Person.clubs.motto": "clubs.motto",
            "Named.title": "title",
        ])
    func typed(written: String, key: String) throws {
        let port = try port("let key = #keyPath(\(written)) + \"\"")
        #expect(port.text.hasPrefix("let key = (\"\(key)\" "))
        #expect(port.refusals.isEmpty)
        #expect(port.additions.isEmpty)
    }

    @Test(
        "A key path may lead through classes and models of other modules",
        arguments: [
            "Team.members.friends.name": "members.friends.name",
            "Club.leader.clubs.motto": "leader.clubs.motto",
            "Person.clubs.leader.level.rawValue": "clubs.leader.level.rawValue",
        ])
    func ofDependency(written: String, key: String) throws {
        let overlay = overlay(
            ["Use.swift": "import People\nlet key = #keyPath(\(written))"],
            dependencies: [
                "People": """
                import CoreData
                public class Person: NSManagedObject {
                    public struct Level { public var rawValue: Int }
                    @NSManaged public var name: String
                    @NSManaged public var friends: Set<Person>
                    @NSManaged public var clubs: NSSet?
                    public var level: Level
                }
                """
            ],
            dependencyDocuments: ["People": documents])
        #expect(overlay.refusals.isEmpty)
        let port = try #require(overlay.ports.last)
        #expect(port.text.contains("let key = (\"\(key)\" "))
        #expect(port.additions.isEmpty)
    }

    @Test("A key path that names no type begins at the type around it")
    func relative() throws {
        let port = try port(
            """
            extension Person {
                static var key: String { #keyPath(address.street) }
                func f() { g(#keyPath(name), #keyPath(Self.friends.name)) }
            }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    extension Person {
                        static var key: String { ("address.street"       ) }
                        func f() { g(("name"         ), ("friends.name"           )) }
                    }
                    """))
    }

    @Test("The operators and punctuation around a key path stay as they were")
    func neighbours() throws {
        #expect(
            try squeezed(port("let k = \"a\"+#keyPath(Person.name)+\"b\"").text)
                == squeezed("let k = \"a\"+(\"name\"               )+\"b\""))
        #expect(
            try squeezed(port("let k = #keyPath(Person.name).count").text)
                == squeezed("let k = (\"name\"               ).count"))
        #expect(
            try squeezed(port("let k = [#keyPath(Person.name):1]").text)
                == squeezed("let k = [(\"name\"               ):1]"))
        #expect(
            try squeezed(port("f(#keyPath(\n    Person\n        .friends\n        .name\n), 1)").text)
                == squeezed("f((\"friends.name\"\n          \n                \n             \n), 1)"))
    }

    @Test("A property that no source declares is left to the compiler, at its line and column")
    func unchecked() throws {
        let port = try port("let a = #keyPath(\n  Operation.isReady)\nlet b = #keyPath(Person.nam)")
        #expect(
            port.text == """
                let a = ("isReady"
                                   )
                let b = ("nam"             )
                #sourceLocation(file: "/src/Use.swift", line: 1)
                private func keyPathCheck0(_ root:\u{20}
                  Operation) {
                #sourceLocation(file: "/src/Use.swift", line: 1)
                _ = root
                           .isReady }
                #sourceLocation()
                #sourceLocation(file: "/src/Use.swift", line: 2)
                private func keyPathCheck7(_ root:\u{20}
                                 Person) {
                #sourceLocation(file: "/src/Use.swift", line: 2)
                _ = root
                                       .nam }
                #sourceLocation()

                """)
        let relative = try self.port("extension Person { var k: String { #keyPath(nam) } }")
        #expect(
            relative.additions == [
                "#sourceLocation(file: \"/src/Use.swift\", line: 1)",
                "private func keyPathCheck0(_ root: Person) {",
                "#sourceLocation(file: \"/src/Use.swift\", line: 1)", "_ = root.nam }", "#sourceLocation()",
            ])
    }

    @Test(
        "A key path through an unknown type or property is refused",
        arguments: [
            "Unknown.a.b": "type 'Unknown' is not known",
            "name": "neither a type nor a property",
            "Person.nothing.name": "not known to have a property 'nothing'",
            "Person.guessed.name": "is not written out",
            "Person.others.name": "is not written out",
            "Person.name!.count": "only names",
        ])
    func refused(written: String, reason: String) throws {
        let port = try port("let key = #keyPath(\(written))")
        #expect(port.refusals.map(\.line) == [1])
        #expect(port.refusals.first?.message.contains(reason) == true)
    }
}
#endif
