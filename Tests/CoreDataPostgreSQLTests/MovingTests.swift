import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataStore
import Foundation
import Testing

@MainActor @Suite("Moving stores to and from PostgreSQL", .needsServer)
struct MovingTests {
    private let model = Self.model()

    private static func model() -> NSManagedObjectModel {
        let (team, person) = (NSEntityDescription(), NSEntityDescription())
        (team.name, person.name) = ("Team", "Person")
        func relationship(_ name: String, _ destination: NSEntityDescription, _ most: Int)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, destination)
            (relationship.maxCount, relationship.isOptional) = (most, true)
            return relationship
        }
        let members = relationship("members", person, 0)
        let home = relationship("team", team, 1)
        (members.inverseRelationship, home.inverseRelationship) = (home, members)
        members.isOrdered = true
        let friends = relationship("friends", person, 0)
        friends.inverseRelationship = friends
        let types: [(String, NSAttributeType)] = [
            ("name", .stringAttributeType), ("born", .dateAttributeType), ("amount", .decimalAttributeType),
            ("identifier", .UUIDAttributeType), ("photo", .binaryDataAttributeType),
            ("isActive", .booleanAttributeType), ("count", .integer64AttributeType),
            ("size", .doubleAttributeType),
        ]
        let attributes = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            attribute.allowsExternalBinaryDataStorage = type == .binaryDataAttributeType
            return attribute
        }
        let name = NSAttributeDescription()
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        team.properties = [name, members]
        person.properties = attributes + [home, friends]
        let model = NSManagedObjectModel()
        model.entities = [team, person]
        return model
    }

    private func coordinator() -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    private func filled(_ type: NSPersistentStore.StoreType, at url: URL) throws
        -> NSPersistentStoreCoordinator
    {
        let coordinator = coordinator()
        _ = try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
        team.setValue("red", forKey: "name")
        let people = (0..<5).map { index in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("person \(index)", forKey: "name")
            return person
        }
        people[0].setValue(Date(timeIntervalSinceReferenceDate: 0.1), forKey: "born")
        people[0].setValue(NSDecimalNumber(string: "12345.6789"), forKey: "amount")
        people[1].setValue(
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), forKey: "identifier")
        people[1].setValue(Data(repeating: 7, count: 200_000), forKey: "photo")
        people[2].setValue(true, forKey: "isActive")
        people[2].setValue(Int64.max, forKey: "count")
        people[3].setValue(1.5e300, forKey: "size")
        team.setValue(NSOrderedSet(array: [people[3], people[0], people[4]]), forKey: "members")
        people[1].setValue(NSSet(array: [people[2], people[4]]), forKey: "friends")
        try context.save()
        return coordinator
    }

    /// Returns all values of the objects, and the names of related ones, one line an object.
    private func content(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return try ["Team", "Person"].flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { object in
                object.entity.propertiesByName.sorted { $0.key < $1.key }.map { key, _ in
                    "\(key): \(text(of: object.value(forKey: key)))"
                }.joined(separator: ", ")
            }
        }
    }

    private func text(of value: Any?) -> String {
        func name(_ object: Any) -> String {
            (object as? NSManagedObject)?.value(forKey: "name") as? String ?? ""
        }
        return switch value {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: "\(data.count) bytes of \(Set(data))"
        case let members as NSOrderedSet: "\(members.map(name))"
        case let members as NSSet: "\(members.map(name).sorted())"
        case let object as NSManagedObject: name(object)
        default: value.map { "\($0)" } ?? "nil"
        }
    }

    private func move(
        _ coordinator: NSPersistentStoreCoordinator, to url: URL, _ type: NSPersistentStore.StoreType
    ) throws {
        let store = try #require(coordinator.persistentStores.first)
        _ = try coordinator.migratePersistentStore(store, to: url, type: type)
    }

    private func temporary() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(
        "A store of files moves to PostgreSQL and back with every value and link",
        arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
    func thereAndBack(type: NSPersistentStore.StoreType) throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try Place.new()
        let coordinator = try filled(type, at: folder.appendingPathComponent("first"))
        let content = try content(of: coordinator)
        try move(coordinator, to: place, .postgreSQL)
        #expect(coordinator.persistentStores.map(\.type) == [NSPersistentStore.StoreType.postgreSQL.rawValue])
        #expect(try self.content(of: coordinator) == content)

        let other = self.coordinator()
        _ = try other.addPersistentStore(type: .postgreSQL, at: place)
        #expect(try self.content(of: other) == content)
        try move(other, to: folder.appendingPathComponent("second"), type)
        #expect(try self.content(of: other) == content)
    }

    @Test("A store that moves to a place replaces the store there, and keys go on from its rows")
    func replacing() throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try Place.new()
        let former = try filled(.postgreSQL, at: place)
        try former.remove(try #require(former.persistentStores.first))
        let coordinator = try filled(.sqlite, at: folder.appendingPathComponent("first"))
        let content = try content(of: coordinator)
        try move(coordinator, to: place, .postgreSQL)
        #expect(try self.content(of: coordinator) == content)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        for _ in 0..<100 { _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context) }
        try context.save()
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
        #expect(count == 105)
    }

    @Test("A move that fails leaves the store in its place, and tables of other programs")
    func failing() throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try Place.new()
        let former = try filled(.postgreSQL, at: place)
        let content = try content(of: former)
        // A table of another program has the name of one that the store would get.
        let connection = try PostgreSQLConnection(ConnectionOptions(place.absoluteString))
        try connection.execute("ALTER TABLE zperson RENAME TO zother")
        try connection.execute("CREATE TABLE zperson (name text)")
        let coordinator = try filled(.sqlite, at: folder.appendingPathComponent("first"))
        #expect(throws: NSError.self) { try move(coordinator, to: place, .postgreSQL) }
        #expect(try self.content(of: coordinator) == content)
        try connection.execute("DROP TABLE zperson")
        try connection.execute("ALTER TABLE zother RENAME TO zperson")
        #expect(try self.content(of: former) == content)
    }

    @Test("The draft of a store goes with its process, or with the next draft; one that is in use stays")
    func drafts() throws {
        let connection = try PostgreSQLConnection(ConnectionOptions(Place.new().absoluteString))
        func schema(of draft: any DraftPlace) throws -> SQLIdentifier {
            let items = URLComponents(url: draft.url, resolvingAgainstBaseURL: false)?.queryItems
            return .foreign(try #require(items?.last?.value))
        }
        func exists(_ schema: SQLIdentifier) throws -> Bool {
            var isFound = false
            var list = ParameterList()
            list.append(schema.name)
            try connection.forEachRow(
                of: "SELECT 1 FROM pg_namespace WHERE nspname = \(placeholder: .value(.unknown))", list
            ) { _ in isFound = true }
            return isFound
        }
        func draft() throws -> any DraftPlace {
            try PostgreSQLStores.draft(for: Place.new().absoluteString, timeout: 5)
        }
        let left = SQLIdentifier.foreign("opencoredata_draft_\(UUID().uuidString)")
        try connection.execute("CREATE SCHEMA \(left)")
        var first: (any DraftPlace)? = try draft()
        let name = try schema(of: #require(first))
        try connection.execute("CREATE SCHEMA \(name)")
        let second = try draft()
        #expect(try !exists(left))
        #expect(try exists(name))
        first = nil
        #expect(try !exists(name))
        withExtendedLifetime(second) {}
    }
}
