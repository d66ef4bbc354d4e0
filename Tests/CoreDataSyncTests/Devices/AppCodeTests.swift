import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

/// A loan whose tag goes with its last loan.
final class TidyLoan: NSManagedObject {
    /// The names of tags whose loans were deleted.
    static let seen = Mutex<[String]>([])

    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard let tag = value(forKey: "tag") as? NSManagedObject else { return }
        Self.seen.withLock { $0.append(tag.value(forKey: "name") as? String ?? "") }
        let others = (tag.value(forKey: "loans") as? Set<NSManagedObject> ?? []).filter { !$0.isDeleted }
        if others.isEmpty { managedObjectContext?.delete(tag) }
    }
}

/// A book that has its shelf say how many books there are.
final class CountedBook: NSManagedObject {
    override func willSave() {
        super.willSave()
        guard !isDeleted, let shelf = value(forKey: "shelf") as? NSManagedObject else { return }
        let name = "\((shelf.value(forKey: "books") as? NSOrderedSet)?.count ?? 0) books"
        if shelf.value(forKey: "name") as? String != name { shelf.setValue(name, forKey: "name") }
    }
}

/// A book that notes how often it was saved, and when last.
final class StampedBook: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(1, forKey: "shelfmark")
    }

    override func willSave() {
        super.willSave()
        guard !isDeleted else { return }
        let count = (primitiveValue(forKey: "shelfmark") as? Int ?? 0) + 1
        setPrimitiveValue(count, forKey: "shelfmark")
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: Double(count)), forKey: "bought")
    }
}

/// A book that gives each of its attributes a value whenever it is saved.
final class FilledBook: NSManagedObject {
    override func willSave() {
        super.willSave()
        guard !isDeleted else { return }
        for (name, attribute) in entity.attributesByName where primitiveValue(forKey: name) == nil {
            setPrimitiveValue(value(for: attribute), forKey: name)
        }
    }

    private func value(for attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .stringAttributeType: "ä"
        case .booleanAttributeType: true
        case .doubleAttributeType: 0.1
        case .floatAttributeType: Float(0.1)
        case .decimalAttributeType: NSDecimalNumber(string: "0.1")
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 0.1)
        case .binaryDataAttributeType:
            Data(count: attribute.allowsExternalBinaryDataStorage ? 200_000 : 10)
        case .UUIDAttributeType: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        case .URIAttributeType: URL(string: "https://example.org/b")
        case .transformableAttributeType: ["ä"] as NSArray
        case .compositeAttributeType: ["unit": "cm", "width": 0.1] as [String: Any]
        default: 7
        }
    }
}

@Suite("The app's own code on imports")
struct AppCodeTests {
    private func model(_ entity: String, _ type: NSManagedObject.Type) -> NSManagedObjectModel {
        LibraryModel.make { $0[entity]!.managedObjectClassName = NSStringFromClass(type) }
    }

    /// Makes a device without code of an app's, and one with such code for the objects of an entity.
    private func devices(_ entity: String, _ type: NSManagedObject.Type) throws -> [Device] {
        let server = TestServer(try StoreSynchronizer.schema(of: LibraryModel.make()))
        return [
            try Device(server, seed: 1000), try Device(server, model: model(entity, type), seed: 2000),
        ]
    }

    private func sync(_ devices: [Device]) async throws {
        // What the app's code does on an import is sent with the next cycle.
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        let wanted = devices[0].server.graph()
        for device in devices {
            #expect(try await device.graph().difference(from: wanted) == nil)
            #expect(try await device.engine!.verifyCount() == 0)
        }
    }

    @Test(
        "What prepareForDeletion deletes besides is deleted everywhere, and it sees the object's relationships"
    )
    func deletion() async throws {
        let devices = try devices("Loan", TidyLoan.self)
        try devices[0].edit { context in
            for name in ["tidy-1", "tidy-2"] {
                let tag = context.insert("Tag", ["name": name])
                context.insert("Loan", ["note": name]).setValue(tag, forKey: "tag")
            }
        }
        try await sync(devices)
        try devices[0].edit { context in
            context.delete(try context.all("Loan").first { $0.value(forKey: "note") as? String == "tidy-1" }!)
        }
        try await sync(devices)
        #expect(TidyLoan.seen.withLock { $0 } == ["tidy-1"])
        for device in devices { #expect(try device.texts("name", of: "Tag") == ["tidy-2"]) }
    }

    @Test("What hooks change in the objects of an import is set back, and nothing is sent")
    func stamps() async throws {
        let devices = try devices("Book", StampedBook.self)
        try devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await sync(devices)
        try devices[0].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try await devices[0].sync()
        let number = devices[0].server.storage.header.sequence
        try await sync(devices)
        #expect(devices[0].server.storage.header.sequence == number)
        for device in devices {
            let (title, count, date) = try device.edit { context in
                let book = try context.all("Book")[0]
                return (
                    book.value(forKey: "title") as? String, book.value(forKey: "shelfmark") as? Int,
                    book.value(forKey: "bought") as? Date
                )
            }
            #expect(title == "b" && count == nil && date == nil)
        }
        // The app's own edits are stamped, and that is sent.
        try devices[1].edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await sync(devices)
        let count = try devices[0].edit { try $0.all("Book")[0].value(forKey: "shelfmark") as? Int }
        #expect(count ?? 0 > 0)
    }

    @Test(
        "What the app saves right after an import, before values of hooks are set back, is an edit that stays"
    )
    func editRightAfter() async throws {
        let devices = try devices("Book", StampedBook.self)
        try devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await sync(devices)
        try devices[0].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try await devices[0].sync()
        // The app saves as soon as it hears of the import, and its hook stamps the book once more.
        let coordinator = devices[1].coordinator
        let isEdited = Mutex(false)
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { note in
            let importing = note.object as? NSManagedObjectContext
            guard importing?.persistentStoreCoordinator === coordinator,
                importing?.name?.hasPrefix("sync.") ?? false, !isEdited.withLock({ $0 })
            else { return }
            isEdited.withLock { $0 = true }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.performAndWait {
                do {
                    try context.all("Book")[0].setValue(true, forKey: "isLent")
                    try context.save()
                } catch {
                    Issue.record(error)
                }
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await sync(devices)
        #expect(isEdited.withLock { $0 })
        for device in devices {
            let (title, isLent, count, date) = try device.edit { context in
                let book = try context.all("Book")[0]
                return (
                    book.value(forKey: "title") as? String, book.value(forKey: "isLent") as? Bool,
                    book.value(forKey: "shelfmark") as? Int, book.value(forKey: "bought") as? Date
                )
            }
            #expect(title == "b" && isLent == true && count == 2)
            #expect(date == Date(timeIntervalSinceReferenceDate: 2))
        }
    }

    @Test("Values of every type that hooks give the objects of an import are set back, and nothing is sent")
    func everyType() async throws {
        func model(_ type: NSManagedObject.Type) -> NSManagedObjectModel {
            LibraryModel.make { entities in
                let book = entities["Book"]!
                book.managedObjectClassName = NSStringFromClass(type)
                let large = LibraryModel.attribute("large", .binaryDataAttributeType)
                large.allowsExternalBinaryDataStorage = true
                let size = NSCompositeAttributeDescription()
                (size.name, size.isOptional) = ("size", true)
                size.elements = [
                    LibraryModel.attribute("unit", .stringAttributeType),
                    LibraryModel.attribute("width", .doubleAttributeType),
                ]
                book.properties += [
                    large, size, LibraryModel.attribute("words", .transformableAttributeType),
                ]
            }
        }
        let server = TestServer(try StoreSynchronizer.schema(of: model(NSManagedObject.self)))
        let devices = [
            try Device(server, model: model(NSManagedObject.self), seed: 1000),
            try Device(server, model: model(FilledBook.self), seed: 2000),
        ]
        for title in ["a", "b"] {
            try devices[0].edit { context in
                let book = try context.all("Book").first ?? context.insert("Book")
                book.setValue(title, forKey: "title")
            }
            try await devices[0].sync()
            let number = server.storage.header.sequence
            try await sync(devices)
            #expect(server.storage.header.sequence == number)
            let filled = try devices[1].edit { context in
                let book = try context.all("Book")[0]
                return book.entity.attributesByName.keys.filter { book.value(forKey: $0) != nil }
            }
            #expect(filled == ["title"])
        }
    }

    @Test("What willSave changes in other objects is an edit that all devices get")
    func otherObject() async throws {
        let devices = try devices("Book", CountedBook.self)
        try devices[0].edit { context in
            let library = context.insert("Library", ["name": "l"])
            context.insert("Shelf", ["name": "s"]).setValue(library, forKey: "library")
        }
        try await sync(devices)
        try devices[0].edit { context in
            context.insert("Book", ["title": "a"]).setValue(try context.all("Shelf")[0], forKey: "shelf")
        }
        try await sync(devices)
        for device in devices { #expect(try device.texts("name", of: "Shelf") == ["1 books"]) }
        let number = devices[0].server.storage.header.sequence
        try await sync(devices)
        #expect(devices[0].server.storage.header.sequence == number)
    }

    @Test("What the app's code does on an import is found, too, if the process ends right after it")
    func crash() async throws {
        var count = 0
        var isDone = false
        while !isDone {
            let devices = try devices("Book", CountedBook.self)
            try devices[0].edit { context in
                let library = context.insert("Library", ["name": "l"])
                context.insert("Shelf", ["name": "s"]).setValue(library, forKey: "library")
            }
            try await sync(devices)
            try devices[0].edit { context in
                context.insert("Book", ["title": "a"]).setValue(try context.all("Shelf")[0], forKey: "shelf")
            }
            try await devices[0].sync()
            count += 1
            devices[1].crash = devices[1].steps + count
            try await devices[1].sync()
            isDone = devices[1].crash != nil
            devices[1].crash = nil
            try await sync(devices)
            for device in devices {
                #expect(try device.texts("name", of: "Shelf") == ["1 books"], "step \(count)")
            }
        }
        #expect(count > 5)
    }

    @Test("An attribute that stays on its device is not sent, and an import leaves it alone")
    func local() async throws {
        let model = LibraryModel.make { entities in
            let opened = LibraryModel.attribute(
                "opened", .integer32AttributeType, default: 7, isOptional: false, info: ["SyncLocal": "YES"])
            entities["Tag"]!.properties.append(opened)
        }
        let pair = try Pair(model: model)
        try pair.devices[0].edit { _ = $0.insert("Tag", ["name": "t", "opened": 1]) }
        try await pair.sync()
        let number = pair.server.storage.header.sequence
        try pair.devices[0].edit { try $0.all("Tag")[0].setValue(2, forKey: "opened") }
        try await pair.sync()
        #expect(pair.server.storage.header.sequence == number)
        try pair.devices[1].edit { try $0.all("Tag")[0].setValue("u", forKey: "name") }
        try await pair.sync()
        let opened = try pair.devices.map { device in
            try device.edit { try $0.all("Tag")[0].value(forKey: "opened") as? Int }
        }
        #expect(opened == [2, 7])
        #expect(try pair.devices[0].texts("name", of: "Tag") == ["u"])
    }
}
