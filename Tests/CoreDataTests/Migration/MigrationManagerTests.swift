import CoreData
import Foundation
import Testing

@Suite("Migration by a manager")
@MainActor
struct MigrationManagerTests {
    func manager(_ store: VersionedStore, _ model: NSManagedObjectModel) -> NSMigrationManager {
        NSMigrationManager(sourceModel: store.coordinator.managedObjectModel, destinationModel: model)
    }

    private func values(_ key: String, _ entity: String, _ store: VersionedStore) throws -> [String] {
        try store.value(key, of: entity).map { $0.map { "\($0)" } ?? "nil" }
    }

    @Test("Policies are called mapping by mapping in three passes, and progress goes from 0 to 1")
    func order() throws {
        let store = try VersionedStore("A\n  name string\nB\n  name string")
        for name in ["a", "b"] { store.insert("A", ["name": name]) }
        store.insert("B", ["name": "c"])
        let model = ModelSketch("A\n  name string\n  more string\nB\n  name string").model
        let migration = manager(store, model)
        let notes = MigrationNotes()
        migration.userInfo = ["notes": notes]
        let mapping = MappingSketch.model(
            MappingSketch.entity(
                "A", from: "A", to: "A", ["name": "$source.name"], policy: NotingPolicy.self),
            MappingSketch.entity("B", from: "B", to: "B", ["name": "$source.name"], policy: NotingPolicy.self)
        )
        try store.copy(to: model, mapping, by: migration)
        #expect(
            notes.lines == [
                "A begin", "A create a", "A create b", "A endInstances",
                "B begin", "B create c", "B endInstances",
                "A relate a", "A relate b", "A endRelationships", "B relate c", "B endRelationships",
                "A validate", "A end", "B validate", "B end",
            ])
        #expect(notes.progress == notes.progress.sorted())
        #expect(notes.progress.first == 0)
        #expect(notes.progress.last! < 1)
        #expect(migration.migrationProgress == 1)
        #expect(try values("name", "A", store) == ["a", "b"])
    }

    @Test(
        "A policy can split an entity, and objects that it keeps stay usable",
        arguments: [VersionedStore.Way.inPlace, .copied, .xml, .binary])
    func split(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("Person\n  name string\n  street string", type: way.type)
        for number in 0..<1200 {
            store.insert(
                "Person", ["name": String(format: "%04d", number), "street": "Street \(number % 3)"])
        }
        let model = ModelSketch(
            """
            Person
              name string
              home -> Address.people
            Address
              street string
              people ->> Person.home
            """
        ).model
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "People", from: "Person", to: "Person", ["name": "$source.name"],
                    policy: SplittingPolicy.self)))
        let addresses = try store.fetch("Address", by: "street")
        #expect(addresses.map { ($0.value(forKey: "people") as? NSSet)?.count } == [400, 400, 400])
        #expect(try values("home.street", "Person", store)[1001] == "Street 2")
    }

    @Test("A relationship may come from a key path through other source relationships")
    func sourceKeyPath() throws {
        let store = try VersionedStore(
            """
            Continent
              name string
              countries ->> Country.continent
            Country
              name string
              continent -> Continent.countries
              cities ->> City.country
            City
              name string
              country -> Country.cities
            """)
        let continent = store.insert("Continent", ["name": "Africa"])
        let country = store.insert("Country", ["name": "Mali", "continent": continent])
        store.insert("City", ["name": "Gao", "country": country])
        store.insert("City", ["name": "Nowhere"])
        let model = ModelSketch(
            """
            Continent
              name string
              cities ->> City.continent
            City
              name string
              continent -> Continent.cities
            """
        ).model
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "ContinentToContinent", from: "Continent", to: "Continent", ["name": "$source.name"]),
                MappingSketch.entity(
                    "CityToCity", from: "City", to: "City", ["name": "$source.name"],
                    links: [
                        "continent": MappingSketch.made(by: "ContinentToContinent", at: "country.continent")
                    ])))
        let cities = try store.fetch("City", by: "name")
        #expect(cities.map { $0.value(forKeyPath: "continent.name") as? String } == ["Africa", nil])
    }

    @Test("A policy can merge two entities, and relationships to both find the merged objects")
    func merge() throws {
        let store = try VersionedStore(
            """
            Customer
              mail string
              orders ->> Order.customer
            Supplier
              mail string
              orders ->> Order.supplier
            Order
              name string
              customer -> Customer.orders
              supplier -> Supplier.orders
            """)
        let customers = ["1", "2"].map { store.insert("Customer", ["mail": $0]) }
        let suppliers = ["2", "3"].map { store.insert("Supplier", ["mail": $0]) }
        for (index, name) in ["x", "y"].enumerated() {
            store.insert("Order", ["name": name, "customer": customers[index], "supplier": suppliers[index]])
        }
        let model = ModelSketch(
            """
            Contact
              mail string
              kind string
              bought ->> Order.buyer
              sold ->> Order.seller
            Order
              name string
              buyer -> Contact.bought
              seller -> Contact.sold
            """
        ).model
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "Buyers", from: "Customer", to: "Contact", ["mail": "$source.mail", "kind": "'customer'"]),
                MappingSketch.entity(
                    "Sellers", from: "Supplier", to: "Contact",
                    ["mail": "$source.mail", "kind": "'supplier'"],
                    policy: MergingPolicy.self),
                MappingSketch.entity(
                    "Orders", from: "Order", to: "Order", ["name": "$source.name"],
                    links: [
                        "buyer": MappingSketch.made(by: "Buyers", at: "customer"),
                        "seller": MappingSketch.made(by: "Sellers", at: "supplier"),
                    ])))
        let contacts = try store.fetch("Contact", by: "mail").map {
            "\($0.value(forKey: "mail")!) \($0.value(forKey: "kind")!)"
        }
        #expect(contacts == ["1 customer", "2 both", "3 supplier"])
        #expect(try values("buyer.mail", "Order", store) == ["1", "2"])
        #expect(try values("seller.mail", "Order", store) == ["2", "3"])
    }

    @Test("Value expressions can compute and call the source, the manager and the policy")
    func expressions() throws {
        let store = try VersionedStore(
            """
            Person
              first string
              last string
              age int16
              items ->> Item.owner
            Item
              price double
              owner -> Person.items
            """)
        let person = store.insert("Person", ["first": "Ada", "last": "L", "age": 36])
        for price in [1.5, 2.5] { store.insert("Item", ["price": price, "owner": person]) }
        store.insert("Person", ["first": "Kid", "last": "K", "age": 3])
        let model = ModelSketch(
            """
            Adult
              name string
              loud string
              total double
              count int32
              group string
              mapping string
              decade int16
            """
        ).model
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "Adults", from: "Person", to: "Adult",
                    [
                        "name": #"FUNCTION($entityPolicy, "fullNameOf:separator:", $source, " ")"#,
                        "loud": "uppercase:($source.last)",
                        "total": "$source.items.@sum.price",
                        "count": "$source.items.@count",
                        "group": #"TERNARY($source.age > 30, "old", "young")"#,
                        "mapping": "$entityMapping.name",
                        "decade": "$source.age / 10",
                    ], where: "age >= 18", policy: NamingPolicy.self)))
        let objects = try store.fetch("Adult")
        #expect(objects.count == 1)
        let adult = try #require(objects.first)
        let found = ["name", "loud", "total", "count", "group", "mapping", "decade"].map {
            "\(adult.value(forKey: $0) ?? "nil")"
        }
        #expect(found == ["Ada L", "L", "4.0", "2", "old", "Adults", "3"])
    }

    @Test("Objects that a policy creates without a source stay registered between batches")
    func lookingForObjects() throws {
        let store = try VersionedStore("Person\n  street string\nPet\n  street string")
        for number in 0..<1200 { store.insert("Person", ["street": "Street \(number % 3)"]) }
        store.insert("Pet", ["street": "Street 1"])
        let model = ModelSketch(
            """
            Person
              street string
              home -> Address.people
            Pet
              street string
              home -> Address.pets
            Address
              street string
              people ->> Person.home
              pets ->> Pet.home
              unique street
            """
        ).model
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "People", from: "Person", to: "Person", ["street": "$source.street"],
                    policy: LookingPolicy.self),
                MappingSketch.entity(
                    "Pets", from: "Pet", to: "Pet", ["street": "$source.street"], policy: LookingPolicy.self)
            ))
        let addresses = try store.fetch("Address", by: "street")
        #expect(addresses.map { ($0.value(forKey: "people") as? NSSet)?.count } == [400, 400, 400])
        #expect(addresses.map { ($0.value(forKey: "pets") as? NSSet)?.count } == [0, 1, 0])
    }

    @Test("Objects are created batch by batch, and relationships cross batches")
    func batches() throws {
        let store = try VersionedStore(
            """
            Team
              name string
              members ->>> Player.team
            Player
              name string
              team -> Team.members
            """)
        for team in 0..<20 {
            let object = store.insert("Team", ["name": "t\(team)"])
            for player in 0..<100 {
                store.insert("Player", ["name": String(format: "%02d-%02d", team, player), "team": object])
            }
        }
        let model = ModelSketch(
            """
            Team
              name string
              members ->>> Player.team
            Player
              name string
              size int16
              team -> Team.members!
            """
        ).model
        let migration = manager(store, model)
        let notes = MigrationNotes()
        migration.userInfo = ["notes": notes]
        try store.copy(
            to: model,
            MappingSketch.model(
                MappingSketch.entity(
                    "Players", from: "Player", to: "Player", ["name": "$source.name"],
                    links: ["team": MappingSketch.made(by: "Teams", at: "team")], policy: NotingPolicy.self),
                MappingSketch.entity(
                    "Teams", from: "Team", to: "Team", ["name": "$source.name"], policy: NotingPolicy.self)),
            by: migration)
        #expect(notes.largestContext > 400)
        #expect(notes.largestContext < 1100)
        let teams = try store.fetch("Team")
        #expect(teams.count == 20)
        for team in teams {
            let names = (team.value(forKey: "members") as! NSOrderedSet).map {
                ($0 as! NSManagedObject).value(forKey: "name") as! String
            }
            #expect(names.count == 100)
            #expect(names == names.sorted())
        }
        #expect(try store.fetch("Player", "team == nil").isEmpty)
    }

    @Test("Both contexts have plain objects of model copies with the original hashes")
    func models() throws {
        let model = ModelSketch("A\n  name string").model
        model.entities[0].managedObjectClassName = "Some.Class"
        let migration = NSMigrationManager(sourceModel: model, destinationModel: model)
        for (copy, context) in [
            (migration.sourceModel, migration.sourceContext),
            (migration.destinationModel, migration.destinationContext),
        ] {
            #expect(copy !== model)
            #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
            #expect(copy.entities[0].managedObjectClassName == "NSManagedObject")
            #expect(context.persistentStoreCoordinator?.managedObjectModel === copy)
        }
        let mapping = MappingSketch.entity("A", from: "A", to: "A")
        #expect(migration.sourceEntity(for: mapping) === migration.sourceModel.entities[0])
        #expect(migration.destinationEntity(for: mapping) === migration.destinationModel.entities[0])
        #expect(migration.migrationProgress == 0)
        #expect(migration.mappingModel.entityMappings.isEmpty)
    }

    @Test(
        "A migration crosses store types, adds to the destination and copies metadata"
    )
    func types() throws {
        let store = try VersionedStore("A\n  name string", type: NSXMLStoreType)
        store.insert("A", ["name": "a"])
        store.coordinator.persistentStores[0].metadata["app"] = "kept"
        let model = ModelSketch("A\n  name string\n  size int16 = 4").model
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: store.coordinator.managedObjectModel, destinationModel: model)
        let migration = manager(store, model)
        try store.close()
        let target = store.folder.file("target.sqlite")
        for _ in 0..<2 {
            try migration.migrateStore(
                from: store.url, type: .xml, mapping: mapping, to: target, type: .sqlite)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: target)
        #expect(metadata["app"] as? String == "kept")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: target)
        let context = coordinator.context(.mainQueue)
        let objects = try context.fetch("A", nil, [], sortedBy: nil)
        #expect(objects.map { $0.value(forKey: "size") as? Int } == [4, 4])
    }

    @Test(
        "An inferred mapping migrates a copy in place, unless the manager is told not to",
        .ofSQLite("A file that is copied"),
        arguments: [(true, true), (false, false)])
    func storeSpecific(_ usesOwn: Bool, _ keepsKeys: Bool) throws {
        let store = try VersionedStore("A\n  name string\n  blob external")
        for name in ["x", "y", "z"] {
            store.insert("A", ["name": name, "blob": Data(count: 200_000)])
            try store.context.save()
        }
        for name in ["x", "y"] { store.context.delete(try store.fetch("A", "name == '\(name)'")[0]) }
        try store.context.save()
        let former = store.coordinator.persistentStores[0].identifier
        let model = ModelSketch("A\n  name string\n  blob external\n  size int16 = 2").model
        let migration = manager(store, model)
        #expect(migration.usesStoreSpecificMigrationManager)
        migration.usesStoreSpecificMigrationManager = usesOwn
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: store.coordinator.managedObjectModel, destinationModel: model)
        let old = store.url
        try store.copy(to: model, mapping, by: migration)
        #expect(migration.migrationProgress == 1)
        let found = try #require(try store.fetch("A").first)
        #expect(found.value(forKey: "name") as? String == "z")
        #expect(found.value(forKey: "size") as? Int == 2)
        #expect((found.value(forKey: "blob") as? Data)?.count == 200_000)
        #expect(found.objectID.uriRepresentation().lastPathComponent == (keepsKeys ? "p3" : "p1"))
        #expect((store.coordinator.persistentStores[0].identifier == former) == keepsKeys)
        let names = try PlainDatabase(old).columns(of: "ZA")
        #expect(!names.contains("ZSIZE"))
    }

    @Test(
        "A failed copy leaves no files, and relationships that become inverses keep their objects"
    )
    func storeSpecificFailures() throws {
        let store = try VersionedStore("A\n  name string\n  b -> B\nB\n  name string\n  as ->> A")
        store.insert("A", ["b": store.insert("B", ["name": "b"])])
        let broken = ModelSketch("A\n  name string!\n  b -> B\nB\n  name string\n  as ->> A").model
        let former = store.coordinator.managedObjectModel
        let error = #expect(throws: NSError.self) {
            try store.copy(
                to: broken,
                NSMappingModel.inferredMappingModel(forSourceModel: former, destinationModel: broken),
                by: manager(store, broken))
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["attribute"] as? String == "name")
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(names.allSatisfy { $0.hasPrefix("store") })
        try store.migrate(to: former, options: [:])
        let model = ModelSketch("A\n  name string\n  b -> B.as\nB\n  name string\n  as ->> A.b").model
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: former, destinationModel: model)
        try store.copy(to: model, mapping, by: manager(store, model))
        #expect(try store.fetch("A").first?.value(forKeyPath: "b.name") as? String == "b")
    }
}
