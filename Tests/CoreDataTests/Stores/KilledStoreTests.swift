import CoreData
import Foundation
import Testing

@Suite("Stores whose process dies", .serialized)
struct KilledStoreTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// How often each writer is killed: `CORE_DATA_TEST_KILLS=300` for the long run.
    private static let kills = environment["CORE_DATA_TEST_KILLS"].flatMap(Int.init) ?? 2
    private static let place = "CORE_DATA_TEST_WRITER_STORE"
    private static let kind = "CORE_DATA_TEST_WRITER_TYPE"

    private static func model() -> NSManagedObjectModel {
        let photo = ModelFixtures.attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let model = NSManagedObjectModel()
        model.entities = [
            ModelFixtures.entity("Item", [ModelFixtures.attribute("number", .integer64AttributeType), photo])
        ]
        return model
    }

    private static func context(_ url: URL, _ type: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Ten objects more and the oldest ten gone, again and again, every second one with a photo in a file of its own.
    @Test("The writer that is killed", .enabled(if: environment[place] != nil))
    func endlessSaving() throws {
        let url = URL(fileURLWithPath: Self.environment[Self.place]!)
        let context = try Self.context(url, Self.environment[Self.kind]!)
        try context.performAndWait {
            while true {
                let old = try Self.items(context)
                let last = old.last?.value(forKey: "number") as? Int ?? 0
                for number in 1...10 {
                    let photo = number % 2 == 0 ? Data(repeating: UInt8(number), count: 150_000) : nil
                    _ = context.insert("Item", ["number": last + number, "photo": photo as Any? ?? NSNull()])
                }
                if old.count >= 50 { for item in old.prefix(10) { context.delete(item) } }
                try context.save()
            }
        }
    }

    private static func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        return try context.fetch(request)
    }

    @Test(
        "What was saved is there as a whole, and nothing else is",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func killed(_ type: String) throws {
        let folder = try ScratchFolder()
        for _ in 0..<Self.kills {
            let writer = try TestProcess(
                "endlessSaving", in: folder, environment: [Self.place: folder.file().path, Self.kind: type])
            Thread.sleep(forTimeInterval: Double.random(in: 0.5...2))
            #expect(writer.killed(), "\(writer.output)")
            let context = try Self.context(folder.file(), type)
            try context.performAndWait {
                let items = try Self.items(context)
                let numbers = items.compactMap { $0.value(forKey: "number") as? Int }
                #expect(numbers.count % 10 == 0 && (numbers.first ?? 1) % 10 == 1)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
                for item in items {
                    let number = item.value(forKey: "number") as? Int ?? 0
                    let photo = item.value(forKey: "photo") as? Data
                    let tenth = (number - 1) % 10 + 1
                    #expect(photo == (tenth % 2 == 0 ? Data(repeating: UInt8(tenth), count: 150_000) : nil))
                }
                if type == NSSQLiteStoreType {
                    #expect(Self.files(folder).count == items.count / 2)
                }
            }
        }
    }

    private static func files(_ folder: ScratchFolder) -> [String] {
        let path = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
