import CoreData
import Foundation
import Testing

@Suite("Lightweight migration of composite attributes")
@MainActor
struct CompositeMigrationTests {
    private static let former = """
        House
          name string
          address composite
          address.street string
          address.number int16
          address.place composite
          address.place.x double
          address.place.y double
        """

    private func filled(_ way: VersionedStore.Way) throws -> VersionedStore {
        let store = try VersionedStore(Self.former, way)
        let whole: NSDictionary = ["street": "s", "number": 3, "place": ["x": 1, "y": 2] as NSDictionary]
        store.insert("House", ["name": "a", "address": whole])
        store.insert("House", ["name": "b", "address": ["street": "t"] as NSDictionary])
        store.insert("House", ["name": "c"])
        return store
    }

    private func addresses(_ store: VersionedStore) throws -> [NSDictionary?] {
        try store.value("address", of: "House").map { $0 as? NSDictionary }
    }

    @Test(
        "Elements are renamed by identifier, removed and change number types, nested ones too",
        arguments: VersionedStore.Way.allCases)
    func renamed(_ way: VersionedStore.Way) throws {
        let store = try filled(way)
        try store.migrate(
            to: """
                House
                  name string
                  home composite was address
                  home.road string was street
                  home.number int64
                  home.spot composite was place
                  home.spot.longitude double was x
                """)
        let homes = try store.value("home", of: "House").map { $0 as? NSDictionary }
        let whole: NSDictionary = [
            "road": "s", "number": 3, "spot": ["longitude": 1] as NSDictionary,
        ]
        #expect(homes == [whole, ["road": "t"], nil])
    }

    @Test(
        "New and mandatory elements get defaults, except where the composite is nil",
        arguments: VersionedStore.Way.allCases)
    func defaults(_ way: VersionedStore.Way) throws {
        let store = try filled(way)
        try store.migrate(
            to: Self.former.replacingOccurrences(of: "number int16", with: "number int16! = 1") + """

                  address.place.z double = 9
                  address.land string! = nl
                  other composite
                  other.size int16 = 4
                """)
        let whole: NSDictionary = [
            "street": "s", "number": 3, "place": ["x": 1, "y": 2, "z": 9] as NSDictionary, "land": "nl",
        ]
        #expect(try addresses(store) == [whole, ["street": "t", "number": 1, "land": "nl"], nil])
        #expect(
            try store.value("other", of: "House").map { $0 as? NSDictionary } == [
                ["size": 4], ["size": 4], ["size": 4],
            ])
    }

    @Test(
        "A missing value of a mandatory element or composite stops the migration",
        arguments: [VersionedStore.Way.inPlace, .copied])
    func missing(_ way: VersionedStore.Way) throws {
        let store = try filled(way)
        for change in [("number int16", "number int16!"), ("address composite", "address composite!")] {
            let sketch = Self.former.replacingOccurrences(of: change.0, with: change.1)
            let error = #expect(throws: NSError.self) { try store.migrate(to: sketch) }
            #expect(error?.code == NSMigrationError)
            #expect((error?.userInfo["attribute"] as? String)?.hasPrefix("address") == true)
            try store.migrate(to: Self.former, options: [:])
        }
        for house in try store.fetch("House") where house.value(forKey: "name") as? String != "a" {
            store.context.delete(house)
        }
        try store.migrate(
            to: Self.former.replacingOccurrences(of: "number int16", with: "number int16!")
                .replacingOccurrences(of: "address composite", with: "address composite!"))
        #expect(try addresses(store).count == 1)
    }
}
