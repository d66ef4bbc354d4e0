import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Devices with different versions of a model")
struct ModelVersionTests {
    private static func newer() -> NSManagedObjectModel {
        LibraryModel.make { entities in
            entities["Book"]!.properties.append(LibraryModel.attribute("subtitle", .stringAttributeType))
            let place = NSEntityDescription()
            place.name = "Place"
            place.managedObjectClassName = "NSManagedObject"
            place.properties = [LibraryModel.attribute("name", .stringAttributeType)]
            entities["Place"] = place
            LibraryModel.relate(
                LibraryModel.toOne("site", place), of: entities["Book"]!,
                LibraryModel.toMany("books", entities["Book"]!), of: place)
        }
    }

    private func update(_ device: Device) throws {
        try device.close()
        try device.reopen(with: Self.newer())
    }

    /// Makes an updated device and one of the former version, which have one book.
    private func makePair() async throws -> Pair {
        let pair = try Pair(serving: Self.newer())
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        try update(pair.devices[0])
        try pair.devices[0].edit { context in
            let book = try context.all("Book")[0]
            book.setValue("s", forKey: "subtitle")
            book.setValue(context.insert("Place", ["name": "p"]), forKey: "site")
        }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        return pair
    }

    @Test("A device of an older version does not overwrite what it does not know")
    func unknown() async throws {
        let pair = try await makePair()
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        #expect(try pair.devices[0].texts("title", of: "Book") == ["b"])
        #expect(try pair.devices[0].texts("subtitle", of: "Book") == ["s"])
        let book = try #require(pair.server.objects("Book").first)
        #expect(book["subtitle"] == .string("s"))
        #expect(book["site"].reference != nil)
    }

    @Test("After an update a device has what the former version had left out, without an edit")
    func backfill() async throws {
        let pair = try await makePair()
        let number = pair.server.storage.header.sequence
        try update(pair.devices[1])
        try await pair.sync()
        #expect(try pair.devices[1].texts("subtitle", of: "Book") == ["s"])
        #expect(try pair.devices[1].texts("name", of: "Place") == ["p"])
        let place = try pair.devices[1].edit { context in
            let site = try context.all("Book")[0].value(forKey: "site") as? NSManagedObject
            return site?.value(forKey: "name") as? String
        }
        #expect(place == "p")
        #expect(pair.server.storage.header.sequence == number)
    }

    @Test("An edit that was made before an update is sent after it")
    func waiting() async throws {
        let pair = try await makePair()
        pair.server.isReachable = false
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await pair.devices[1].sync()
        try update(pair.devices[1])
        pair.server.isReachable = true
        try await pair.sync()
        for device in pair.devices {
            #expect(try device.texts("title", of: "Book") == ["c"])
            #expect(try device.texts("subtitle", of: "Book") == ["s"])
        }
    }

    /// Returns the IDs of the tags on the server by their names.
    private func tags(_ server: TestServer) -> [String: SyncID] {
        var result: [String: SyncID] = [:]
        for (key, row) in server.storage.rows where row.state.entity == "Tag" && row.state.isAlive {
            if let id = key.object, case .string(let name) = row.state["name"] { result[name] = id }
        }
        return result
    }

    /// Has a device make a tag that it deletes, four tags and two loans.
    private func makeTags(_ device: Device) throws {
        try device.edit { _ = $0.insert("Tag", ["name": "t0"]) }
        try device.edit { context in
            for number in 1...4 { _ = context.insert("Tag", ["name": "t\(number)"]) }
            for number in 1...2 { _ = context.insert("Loan", ["note": "\(number)"]) }
        }
        try device.edit { context in
            context.delete(try context.all("Tag").first { $0.value(forKey: "name") as? String == "t0" }!)
        }
    }

    @Test("Edits from before a migration that changes keys are sent after it, as those of the same objects")
    func movedKeys() async throws {
        let model = LibraryModel.make { entities in
            let item = NSEntityDescription()
            item.name = "Item"
            item.isAbstract = true
            item.subentities = [entities["Loan"]!, entities["Tag"]!]
            entities["Item"] = item
        }
        let pair = try Pair(serving: model)
        let device = pair.devices[0]
        try makeTags(device)
        try await pair.sync()
        let before = tags(pair.server)
        let names = ["t1": "new t2", "t2": "new t3", "t3": "new t4", "t4": "new t1"]
        try device.edit { context in
            for tag in try context.all("Tag") {
                tag.setValue(names[tag.value(forKey: "name") as? String ?? ""], forKey: "name")
            }
        }
        try device.close()
        try device.reopen(with: model)
        try await pair.sync()
        let after = tags(pair.server)
        #expect(Set(after.keys) == Set(names.values))
        for (old, new) in names { #expect(after[new] == before[old]) }
        #expect(try pair.devices[1].texts("name", of: "Tag") == names.values.sorted())
        #expect(device.engine!.issues.conflicts.isEmpty && device.engine!.issues.unknown.isEmpty)
        try device.edit { _ = $0.insert("Tag", ["name": "t9"]) }
        try await pair.sync()
        #expect(try pair.devices[1].texts("name", of: "Tag").count == 5)
    }

    @Test("Objects keep their identity when a migration copies the store, and nothing is sent")
    func copiedStore() async throws {
        func model(_ areInverse: Bool) -> NSManagedObjectModel {
            LibraryModel.make { entities in
                let tag = entities["Tag"]!
                let (next, last) = (LibraryModel.toOne("next", tag), LibraryModel.toOne("last", tag))
                tag.properties += [next, last]
                // That two relationships belong together from now on cannot be said in SQL.
                if areInverse { (next.inverseRelationship, last.inverseRelationship) = (last, next) }
            }
        }
        let pair = try Pair(model: model(false), serving: model(true))
        let device = pair.devices[0]
        try makeTags(device)
        try await pair.sync()
        let before = tags(pair.server)
        let number = pair.server.storage.header.sequence
        try device.close()
        try device.reopen(with: model(true))
        try await pair.sync()
        #expect(tags(pair.server) == before)
        #expect(pair.server.storage.header.sequence == number)
        try device.edit { context in
            let tag = try context.all("Tag").first { $0.value(forKey: "name") as? String == "t1" }
            tag?.setValue("edited", forKey: "name")
        }
        try await pair.sync()
        #expect(tags(pair.server)["edited"] == before["t1"])
    }
}
