import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Relationships of rare kinds on two devices")
struct RelationshipKindTests {
    private func names(_ property: String, _ device: Device) throws -> [String: [String]] {
        try device.edit { context in
            var result: [String: [String]] = [:]
            for object in try context.all("Shelf") {
                let value = object.value(forKey: property)
                let one = (value as? NSManagedObject).map { [$0 as Any] }
                let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? one ?? []
                let names = members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
                let isOrdered = value is NSOrderedSet
                result[object.value(forKey: "name") as? String ?? ""] = isOrdered ? names : names.sorted()
            }
            return result
        }
    }

    /// Makes devices with the shelves a, b and c, whose entity has more relationships.
    private func pair(
        _ relationships: (inout [String: NSEntityDescription]) -> Void
    ) async throws -> Pair {
        let pair = try Pair(model: LibraryModel.make(relationships))
        try pair.devices[0].edit { context in
            let library = context.insert("Library", ["name": "l"])
            for name in ["a", "b", "c"] {
                context.insert("Shelf", ["name": name]).setValue(library, forKey: "library")
            }
        }
        try await pair.sync()
        return pair
    }

    private func edit(
        _ device: Device, _ body: (NSManagedObjectContext, [String: NSManagedObject]) throws -> Void
    ) throws {
        try device.edit { context in
            let shelves = try context.all("Shelf").map { ($0.value(forKey: "name") as? String ?? "", $0) }
            try body(context, Dictionary(shelves) { $1 })
        }
    }

    @Test("A to-one relationship without inverse leads to its object, and nowhere once that is deleted")
    func toOne() async throws {
        let pair = try await pair { $0["Shelf"]!.properties.append(LibraryModel.toOne("next", $0["Shelf"]!)) }
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.setValue(shelf["b"], forKey: "next")
            shelf["b"]?.setValue(shelf["c"], forKey: "next")
        }
        try await pair.sync()
        #expect(try names("next", pair.devices[1]) == ["a": ["b"], "b": ["c"], "c": []])
        try edit(pair.devices[1]) { context, shelf in context.delete(shelf["b"]!) }
        try await pair.sync()
        let number = pair.server.storage.header.sequence
        try await pair.sync()
        #expect(pair.server.storage.header.sequence == number)
        for device in pair.devices { #expect(try await device.engine!.verifyCount() == 0) }
    }

    @Test("Members of a to-many relationship without inverse come and go, and each has one owner")
    func toMany() async throws {
        let pair = try await pair { entities in
            entities["Shelf"]!.properties.append(LibraryModel.toMany("below", entities["Shelf"]!))
        }
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.setValue(NSSet(array: [shelf["b"]!, shelf["c"]!]), forKey: "below")
        }
        try await pair.sync()
        #expect(try names("below", pair.devices[1]) == ["a": ["b", "c"], "b": [], "c": []])
        try edit(pair.devices[1]) { _, shelf in
            shelf["a"]?.mutableSetValue(forKey: "below").remove(shelf["c"]!)
            shelf["b"]?.mutableSetValue(forKey: "below").add(shelf["c"]!)
        }
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("below", device) == ["a": ["b"], "b": ["c"], "c": []])
        }
        for (device, owner) in zip(pair.devices, ["a", "c"]) {
            try edit(device) { _, shelf in
                shelf[owner]?.mutableSetValue(forKey: "below").add(shelf["b"]!)
                if owner == "c" { shelf["a"]?.mutableSetValue(forKey: "below").remove(shelf["b"]!) }
            }
        }
        try await pair.sync()
        #expect(try names("below", pair.devices[0]) == names("below", pair.devices[1]))
    }

    @Test("A to-many relationship that is its own inverse is the same on both sides, whatever meets")
    func mirrored() async throws {
        let pair = try await pair { entities in
            let near = LibraryModel.toMany("near", entities["Shelf"]!)
            near.inverseRelationship = near
            entities["Shelf"]!.properties.append(near)
        }
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.setValue(NSSet(array: [shelf["b"]!, shelf["c"]!]), forKey: "near")
        }
        try await pair.sync()
        #expect(try names("near", pair.devices[1]) == ["a": ["b", "c"], "b": ["a"], "c": ["a"]])
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.mutableSetValue(forKey: "near").remove(shelf["b"]!)
        }
        try edit(pair.devices[1]) { _, shelf in
            shelf["c"]?.mutableSetValue(forKey: "near").add(shelf["b"]!)
        }
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("near", device) == ["a": ["c"], "b": ["c"], "c": ["a", "b"]])
        }
    }

    @Test(
        "Of two partners in a to-one relationship that is its own inverse the later one stays, on both sides")
    func mirroredToOne() async throws {
        let pair = try await pair { entities in
            let friend = LibraryModel.toOne("friend", entities["Shelf"]!)
            friend.inverseRelationship = friend
            entities["Shelf"]!.properties.append(friend)
        }
        let (first, second) = (pair.devices[0], pair.devices[1])
        try edit(first) { _, shelf in shelf["a"]?.setValue(shelf["b"], forKey: "friend") }
        try await pair.sync()
        #expect(try names("friend", second) == ["a": ["b"], "b": ["a"], "c": []])
        try edit(second) { _, shelf in shelf["c"]?.setValue(shelf["a"], forKey: "friend") }
        try await pair.sync()
        #expect(try names("friend", first) == ["a": ["c"], "b": [], "c": ["a"]])
        try edit(first) { _, shelf in shelf["a"]?.setValue(nil, forKey: "friend") }
        try await pair.sync()
        #expect(try names("friend", second) == ["a": [], "b": [], "c": []])

        try edit(first) { _, shelf in shelf["a"]?.setValue(shelf["b"], forKey: "friend") }
        try edit(second) { _, shelf in shelf["b"]?.setValue(shelf["c"], forKey: "friend") }
        try await first.sync()
        pair.server.now += 5000
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("friend", device) == ["a": [], "b": ["c"], "c": ["b"]])
            #expect(try await device.engine!.verifyCount() == 0)
        }
        #expect(pair.server.storage.log.map(\.lost.reason) == [.exclusive])
        let number = pair.server.storage.header.sequence
        try await pair.sync()
        #expect(pair.server.storage.header.sequence == number)
    }

    @Test("A partner that an app has chosen meanwhile is not replaced by an import before it was sent")
    func chosenMeanwhile() async throws {
        let pair = try await pair { entities in
            let friend = LibraryModel.toOne("friend", entities["Shelf"]!)
            friend.inverseRelationship = friend
            entities["Shelf"]!.properties.append(friend)
        }
        let (first, second) = (pair.devices[0], pair.devices[1])
        try edit(first) { _, shelf in shelf["a"]?.setValue(shelf["b"], forKey: "friend") }
        try await first.sync()
        // The edit comes right before the import is prepared, behind the capture.
        var isEdited = false
        second.beforePreparing = { [self] in
            guard !isEdited else { return }
            isEdited = true
            pair.server.now += 5000
            try edit(second) { _, shelf in shelf["a"]?.setValue(shelf["c"], forKey: "friend") }
        }
        try await pair.sync()
        try await pair.sync()
        #expect(isEdited)
        for device in pair.devices {
            #expect(try names("friend", device) == ["a": ["c"], "b": [], "c": ["a"]])
        }
    }

    @Test("An object that is united with another device's by a unique value gets that one's partner")
    func partnerOfUnited() async throws {
        let pair = try Pair()
        let (first, second) = (pair.devices[0], pair.devices[1])
        func twins(_ device: Device) throws -> [String: String] {
            try device.edit { context in
                let twins = try context.all("Book").map { book in
                    let twin = book.value(forKey: "twin") as? NSManagedObject
                    return (
                        book.value(forKey: "isbn") as? String ?? "",
                        twin?.value(forKey: "isbn") as? String ?? ""
                    )
                }
                return Dictionary(twins) { $0 + $1 }
            }
        }
        func insertTwinOfItself(_ isbn: String, _ device: Device) throws {
            try device.edit { context in
                let book = context.insert("Book", ["isbn": isbn])
                book.setValue(book, forKey: "twin")
            }
        }
        try insertTwinOfItself("a", first)
        try await pair.sync()
        try first.edit { _ = $0.insert("Book", ["isbn": "b"]) }
        try await first.sync()
        pair.server.now += 5000
        try insertTwinOfItself("b", second)
        pair.server.isReachable = false
        try await second.sync()
        pair.server.isReachable = true
        pair.server.now += 5000
        try first.edit { context in
            let books = try context.all("Book")
            books[0].setValue(books[1], forKey: "twin")
        }
        try await first.sync()
        try await pair.sync()
        for device in pair.devices {
            #expect(try twins(device) == ["a": "b", "b": "a"])
            #expect(try await device.engine!.verifyCount() == 0)
        }
    }

    /// A relationship between shelves that is its own inverse and has a number of members.
    private func near(minimum: Int, maximum: Int) -> (inout [String: NSEntityDescription]) -> Void {
        { entities in
            let near = LibraryModel.toMany("near", entities["Shelf"]!)
            near.inverseRelationship = near
            (near.minCount, near.maxCount) = (minimum, maximum)
            entities["Shelf"]!.properties.append(near)
        }
    }

    @Test(
        "What exceeds the largest number of members is taken back on both sides of a relationship with itself"
    )
    func mirroredMaximum() async throws {
        let pair = try await pair(near(minimum: 0, maximum: 2))
        try edit(pair.devices[0]) { context, shelf in
            context.insert("Shelf", ["name": "d"])
                .setValue(shelf["a"]?.value(forKey: "library"), forKey: "library")
        }
        try await pair.sync()
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.setValue(NSSet(array: [shelf["b"]!, shelf["c"]!]), forKey: "near")
        }
        try edit(pair.devices[1]) { _, shelf in
            shelf["d"]?.setValue(NSSet(object: shelf["a"]!), forKey: "near")
        }
        try await pair.devices[0].sync()
        pair.server.now += 5000
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("near", device) == ["a": ["b", "c"], "b": ["a"], "c": ["a"], "d": []])
        }
        #expect(pair.server.storage.log.map(\.lost.reason) == [.count])
    }

    @Test(
        "What is missing from the least number of members is put back on both sides of a relationship with itself"
    )
    func mirroredMinimum() async throws {
        let pair = try await pair(near(minimum: 1, maximum: 0))
        try edit(pair.devices[0]) { _, shelf in
            shelf["a"]?.setValue(NSSet(array: [shelf["b"]!, shelf["c"]!]), forKey: "near")
            shelf["b"]?.mutableSetValue(forKey: "near").add(shelf["c"]!)
        }
        try await pair.sync()
        for (device, partner) in zip(pair.devices, ["b", "c"]) {
            try edit(device) { _, shelf in
                shelf["a"]?.mutableSetValue(forKey: "near").remove(shelf[partner]!)
            }
        }
        try await pair.devices[0].sync()
        pair.server.now += 5000
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("near", device) == ["a": ["c"], "b": ["c"], "c": ["a", "b"]])
        }
    }

    @Test("A member of a to-many relationship without inverse stays with the owner that took it last")
    func laterOwner() async throws {
        let pair = try await pair { entities in
            entities["Shelf"]!.properties.append(LibraryModel.toMany("below", entities["Shelf"]!))
        }
        for (device, owner) in zip(pair.devices, ["a", "c"]) {
            try edit(device) { _, shelf in
                shelf[owner]?.mutableSetValue(forKey: "below").add(shelf["b"]!)
            }
        }
        try await pair.devices[0].sync()
        pair.server.now += 5000
        try await pair.sync()
        for device in pair.devices {
            #expect(try names("below", device) == ["a": [], "b": [], "c": ["b"]])
            #expect(try await device.engine!.verifyCount() == 0)
        }
    }

    @Test("An ordered many-to-many relationship keeps its order on both sides, and moves come together")
    func orderedPairs() async throws {
        let pair = try await pair { entities in
            let rows = LibraryModel.toMany("rows", entities["Shelf"]!)
            let columns = LibraryModel.toMany("columns", entities["Shelf"]!)
            rows.isOrdered = true
            LibraryModel.relate(rows, of: entities["Shelf"]!, columns, of: entities["Shelf"]!)
        }
        func order(_ names: [String], on device: Device) throws {
            try edit(device) { _, shelf in
                shelf["a"]?.setValue(NSOrderedSet(array: names.map { shelf[$0]! }), forKey: "rows")
            }
        }
        try order(["c", "a", "b"], on: pair.devices[0])
        try await pair.sync()
        #expect(try names("rows", pair.devices[1])["a"] == ["c", "a", "b"])
        try order(["c", "b", "a"], on: pair.devices[1])
        try await pair.sync()
        #expect(try names("rows", pair.devices[0])["a"] == ["c", "b", "a"])
        try order(["b", "a"], on: pair.devices[0])
        try order(["b", "c", "a"], on: pair.devices[1])
        try await pair.sync()
        let result = try names("rows", pair.devices[0])
        #expect(try result == names("rows", pair.devices[1]))
        #expect(result["a"]?.filter { $0 != "c" } == ["b", "a"])
        #expect(try names("columns", pair.devices[1])["b"] == ["a"])
    }
}
