import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Two devices with stores on disk")
struct TwoDeviceTests {
    let pair: Pair
    var first: Device { pair.devices[0] }
    var second: Device { pair.devices[1] }

    init() throws { pair = try Pair() }

    @Test("Values of all types arrive as they are")
    func values() async throws {
        let link = URL(string: "https://example.org/a%20b")!
        let token = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!
        try first.edit { context in
            let book = context.insert(
                "Book", ["title": "e\u{301}", "rating": 3, "latitude": 1.5, "longitude": -0.25])
            book.setValue(NSDecimalNumber(string: "12345.125"), forKey: "price")
            book.setValue(Float(0.1), forKey: "weight")
            book.setValue(true, forKey: "isLent")
            book.setValue(Date(timeIntervalSinceReferenceDate: 700_000_000.125), forKey: "bought")
            book.setValue(Data([0, 255, 7]), forKey: "cover")
            book.setValue(token, forKey: "token")
            book.setValue(link, forKey: "link")
            book.setValue(-70_000, forKey: "shelfmark")
        }
        try await pair.sync()
        try second.edit { context in
            let book = try #require(try context.all("Book").first)
            #expect(Array((book.value(forKey: "title") as? String ?? "").utf8) == Array("e\u{301}".utf8))
            #expect(
                (book.value(forKey: "price") as? NSDecimalNumber)
                    == NSDecimalNumber(string: "12345.125"))
            #expect((book.value(forKey: "weight") as? NSNumber)?.floatValue == 0.1)
            #expect((book.value(forKey: "isLent") as? NSNumber)?.boolValue == true)
            #expect(
                book.value(forKey: "bought") as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000.125)
            )
            #expect(book.value(forKey: "cover") as? Data == Data([0, 255, 7]))
            #expect(book.value(forKey: "token") as? UUID == token)
            #expect(book.value(forKey: "link") as? URL == link)
            #expect((book.value(forKey: "shelfmark") as? NSNumber)?.intValue == -70_000)
            #expect((book.value(forKey: "latitude") as? NSNumber)?.doubleValue == 1.5)
        }
    }

    @Test("Edits of two properties of one object on two devices both stay")
    func twoProperties() async throws {
        try first.edit { _ = $0.insert("Book", ["title": "a", "rating": 1]) }
        try await pair.sync()
        try first.edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try second.edit { try $0.all("Book")[0].setValue(5, forKey: "rating") }
        try await pair.sync()
        for device in pair.devices {
            try device.edit { context in
                let book = try context.all("Book")[0]
                #expect(book.value(forKey: "title") as? String == "b")
                #expect((book.value(forKey: "rating") as? NSNumber)?.intValue == 5)
            }
        }
    }

    @Test("Of two edits of one property one wins on all devices, and the other is in the issues")
    func oneProperty() async throws {
        try first.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try first.edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try second.edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await pair.sync()
        let title = try #require(try first.texts("title", of: "Book").first)
        #expect(try second.texts("title", of: "Book") == [title])
        let lost = SyncValue.string(title == "b" ? "c" : "b")
        for device in pair.devices {
            let values = device.engine!.ledger.issues.map { issue -> SyncValue? in
                if case .lost(let lost) = issue { lost.value } else { nil }
            }
            #expect(values == [lost])
        }
    }

    @Test("What two devices add to a counter counts together")
    func counter() async throws {
        try first.edit { _ = $0.insert("Book", ["copies": 10]) }
        try await pair.sync()
        try first.edit { try $0.all("Book")[0].setValue(12, forKey: "copies") }
        try second.edit { try $0.all("Book")[0].setValue(7, forKey: "copies") }
        try await pair.sync()
        for device in pair.devices {
            let copies = try device.edit { try $0.all("Book")[0].value(forKey: "copies") as? NSNumber }
            #expect(copies?.intValue == 9)
        }
    }

    @Test("A cascade on one device deletes on the other, where no delete rule runs")
    func cascade() async throws {
        try first.edit { context in
            let library = context.insert("Library", ["name": "l"])
            let shelf = context.insert("Shelf", ["name": "s"])
            shelf.setValue(library, forKey: "library")
            context.insert("Book", ["title": "b"]).setValue(shelf, forKey: "shelf")
        }
        try await pair.sync()
        try first.edit { context in context.delete(try context.all("Library")[0]) }
        try await pair.sync()
        #expect(try second.texts("name", of: "Library").isEmpty)
        #expect(try second.texts("name", of: "Shelf").isEmpty)
        #expect(try second.texts("title", of: "Book") == ["b"])
        #expect(try second.edit { try $0.all("Book")[0].value(forKey: "shelf") } == nil)
    }

    @Test("The order of members arrives, and moves on two devices come together")
    func order() async throws {
        try first.edit { context in
            let shelf = context.insert("Shelf", ["name": "s"])
            shelf.setValue(context.insert("Library", ["name": "l"]), forKey: "library")
            let books = ["a", "b", "c", "d"].map { context.insert("Book", ["title": $0]) }
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
        }
        try await pair.sync()
        try first.move("d", to: 0)
        try second.edit { context in
            let book = context.insert("Book", ["title": "e"])
            book.setValue(try context.all("Shelf")[0], forKey: "shelf")
        }
        try await pair.sync()
        for device in pair.devices { #expect(try device.order() == ["d", "a", "b", "c", "e"]) }
    }

    @Test("Pairs that two devices add and take away come together")
    func pairs() async throws {
        try first.edit { context in
            let book = context.insert("Book", ["title": "b"])
            let tags = ["x", "y"].map { context.insert("Tag", ["name": $0]) }
            book.setValue(NSSet(array: tags), forKey: "tags")
        }
        try await pair.sync()
        try first.edit { context in
            let book = try context.all("Book")[0]
            book.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "z"]))
        }
        try second.edit { context in
            let tag = try #require(
                try context.all("Tag").first { $0.value(forKey: "name") as? String == "x" })
            try context.all("Book")[0].mutableSetValue(forKey: "tags").remove(tag)
        }
        try await pair.sync()
        for device in pair.devices {
            let names = try device.edit { context in
                let tags = try context.all("Book")[0].value(forKey: "tags") as? NSSet
                return tags?.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
                    .sorted()
            }
            #expect(names == ["y", "z"])
        }
    }

    @Test("Objects with one unique value that two devices made become one")
    func unique() async throws {
        for device in pair.devices {
            try device.edit { context in
                let loan = context.insert("Loan", ["note": device === first ? "1" : "2"])
                loan.setValue(context.insert("Tag", ["name": "x"]), forKey: "tag")
            }
        }
        try await pair.sync()
        for device in pair.devices {
            #expect(try device.texts("name", of: "Tag") == ["x"])
            let loans = try device.edit { try ($0.all("Tag")[0].value(forKey: "loans") as? NSSet)?.count }
            #expect(loans == 2)
        }
    }

    @Test("A deletion and a concurrent edit: the object goes, and the edit is in the issues")
    func deleteWins() async throws {
        try first.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try first.edit { context in context.delete(try context.all("Book")[0]) }
        try second.edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try await pair.sync()
        for device in pair.devices {
            #expect(try device.texts("title", of: "Book").isEmpty)
            #expect(
                device.engine!.ledger.issues.contains {
                    if case .lost(let lost) = $0 { lost.value == .string("b") } else { false }
                })
        }
    }

    @Test("Batch requests are captured like saves")
    func batches() async throws {
        try first.edit { context in
            let rows = (1...5).map { ["title": "t\($0)"] as [String: Any] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
        try await pair.sync()
        #expect(try second.texts("title", of: "Book") == ["t1", "t2", "t3", "t4", "t5"])
        try first.edit { context in
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "title == 't1'")
            update.propertiesToUpdate = ["title": "u"]
            _ = try context.execute(update)
            let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            doomed.predicate = NSPredicate(format: "title == 't2'")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
        }
        try await pair.sync()
        #expect(try second.texts("title", of: "Book") == ["t3", "t4", "t5", "u"])
    }

    @Test("Partners that two objects have exchanged are found, although each has as many as before")
    func exchanged() async throws {
        func exchange(_ tags: [String]) throws {
            try first.edit { context in
                let all = Dictionary(
                    try context.all("Tag").map { ($0.value(forKey: "name") as? String ?? "", $0) }
                ) { $1 }
                for (title, tag) in zip(["a", "b"], tags) {
                    let book = try context.all("Book").first { $0.value(forKey: "title") as? String == title }
                    book?.setValue(NSSet(object: all[tag]!), forKey: "tags")
                }
            }
        }
        try first.edit { context in
            for title in ["a", "b"] { _ = context.insert("Book", ["title": title]) }
            for name in ["s", "t"] { _ = context.insert("Tag", ["name": name]) }
        }
        try exchange(["s", "t"])
        try await pair.sync()
        #expect(try await first.engine!.verifyCount() == 0)
        try exchange(["t", "s"])
        #expect(try await first.engine!.verifyCount() == 4)
        try await pair.sync()
        #expect(try await second.engine!.verifyCount() == 0)
    }

    @Test("When nothing changes, nothing is sent, and an import makes no edits")
    func quiet() async throws {
        try first.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        let number = pair.server.storage.header.sequence
        for _ in 0..<3 { try await pair.sync() }
        #expect(pair.server.storage.header.sequence == number)
        for device in pair.devices { #expect(try await device.engine!.verifyCount() == 0) }
    }
}
