import CoreData
import Foundation
import Testing

@Suite("Migration of derived attributes")
@MainActor
struct DerivedMigrationTests {
    @Test("New derived attributes have values, and are kept up to date afterwards")
    func derived() throws {
        let store = try VersionedStore(
            "Team\n  name string\n  players ->> Player.team\nPlayer\n  name string\n  goals int16\n  team -> Team.players"
        )
        let team = store.insert("Team", ["name": "T"])
        for (name, goals) in [("a", 2), ("b", 3)] {
            store.insert("Player", ["name": name, "goals": goals, "team": team])
        }
        let model = ModelSketch(
            "Team\n  name string\n  players ->> Player.team\nPlayer\n  name string\n  goals int16\n  team -> Team.players"
        ).model
        func derive(_ name: String, _ type: NSAttributeType, _ format: String, _ entity: String) {
            let attribute = NSDerivedAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            model.entitiesByName[entity]?.properties.append(attribute)
        }
        derive("size", .integer32AttributeType, "players.@count", "Team")
        derive("goals", .integer32AttributeType, "players.goals.@sum", "Team")
        derive("plain", .stringAttributeType, "lowercase:(name)", "Team")
        derive("teamName", .stringAttributeType, "team.name", "Player")
        try store.migrate(to: model)
        let found = try #require(try store.fetch("Team").first)
        #expect(found.value(forKey: "size") as? Int == 2)
        #expect(found.value(forKey: "goals") as? Int == 5)
        #expect(found.value(forKey: "plain") as? String == "t")
        #expect(try store.value("teamName", of: "Player").map { $0 as? String } == ["T", "T"])
        store.insert("Player", ["name": "c", "goals": 4, "team": found])
        try store.context.save()
        store.context.refresh(found, mergeChanges: false)
        #expect(found.value(forKey: "size") as? Int == 3)
        #expect(found.value(forKey: "goals") as? Int == 9)
    }

    @Test(
        "Derived attributes follow the migration's changes of values, objects and pairs",
        arguments: [VersionedStore.Way.inPlace, .copied])
    func changedSources(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            """
            Team
              name string
              city string
              upper string derived uppercase:(city)
              members ->> Person.team
              size int64 derived members.@count
              sum double derived sum:(members.goals)
            Person
              name string
              goals int16
              team -> Team.members
              city string derived team.city
            Guest: Person
            """, way)
        let team = store.insert("Team", ["name": "t"])
        store.insert("Person", ["name": "a", "team": team])
        store.insert("Person", ["name": "b", "team": team, "goals": 2])
        store.insert("Guest", ["name": "c", "team": team, "goals": 4])
        try store.context.save()
        try store.migrate(
            to: """
                Team
                  name string
                  city string! = rome
                  upper string derived uppercase:(city)
                  members ->> Person.team
                  size int64 derived members.@count
                  sum double derived sum:(members.goals)
                Person
                  name string
                  goals int32! = 10
                  team -> Team.members
                  city string derived team.city
                """)
        let found = try #require(try store.fetch("Team").first)
        #expect(found.value(forKey: "upper") as? String == "ROME")
        #expect(found.value(forKey: "size") as? Int == 2)
        #expect(found.value(forKey: "sum") as? Double == 12)
        #expect(try store.value("city", of: "Person").map { $0 as? String } == ["rome", "rome"])
    }

    @Test(
        "A renamed derived attribute, which hashes do not reveal, keeps its values",
        .ofSQLite("A plan for a file"))
    func renamedAlone() throws {
        let store = try VersionedStore("A\n  name string\n  upper string derived uppercase:(name)")
        store.insert("A", ["name": "a"])
        let sketch = "A\n  name string\n  large string was upper derived uppercase:(name)"
        try store.close()
        let plan = try NSPersistentStoreCoordinator.lightweightMigrationPlan(
            forStoreAt: store.url, to: ModelSketch(sketch).model)
        #expect(plan.method == .inPlace)
        try store.migrate(to: sketch)
        #expect(try store.value("large", of: "A").map { $0 as? String } == ["A"])
    }
}
