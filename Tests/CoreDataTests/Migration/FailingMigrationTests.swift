import CSQLite
import Foundation
import Testing

@testable import CoreData

/// Like `FailingDiskTests`, for a migration with every kind of change, in place and by copy.
@Suite("Migrations on failing disks")
@MainActor
struct FailingMigrationTests {
    private static let old = """
        Cat
          name string
          photo external
          owner -> Person.cats
        Dog
          name string
          age int16
          owner -> Person.dogs
          idol -> Person
        Person
          name string
          cats ->> Cat.owner
          dogs ->> Dog.owner
          fans ->> Dog
        """
    enum Way: String, CaseIterable {
        case inPlace, copied

        var new: String {
            guard self == .copied else { return FailingMigrationTests.new }
            // SQL cannot follow two relationships that become each other's inverse.
            return FailingMigrationTests.new
                .replacingOccurrences(of: "idol -> Person", with: "idol -> Person.fans")
                .replacingOccurrences(of: "fans ->> Dog", with: "fans ->> Dog.idol")
        }
    }

    nonisolated private static let new = """
        Animal abstract
          name string
        Cat: Animal
          picture external was photo
          owner -> Person.cats
        Dog: Animal
          age double! = 3
          owner -> Person.dogs
          idol -> Person
        Person
          name string
          cats ->>> Cat.owner
          dogs ->> Dog.owner
          fans ->> Dog
          mail string = none
        """
    private static let photo = Data(repeating: 5, count: 120_000)

    /// Makes a closed store of the old model.
    private static func make(in folder: ScratchFolder, count: Int) throws {
        let context = try open(folder.file(), old, [:])
        for number in 0..<count {
            let person = context.insert("Person", ["name": "p\(number)"])
            _ = context.insert(
                "Cat", ["name": "c\(number)", "owner": person, "photo": number == 0 ? photo : Data([1])])
            _ = context.insert("Dog", ["name": "d\(number)", "owner": person])
        }
        try context.save()
        try close(context)
    }

    private static func open(
        _ url: URL, _ sketch: String, _ options: [AnyHashable: Any] = VersionedStore.automatic
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: options.merging([NSPersistentStoreTimeoutOption: 0.05]) { first, _ in first })
        let context = coordinator.context(.mainQueue)
        return context
    }

    private static func close(_ context: NSManagedObjectContext) throws {
        let coordinator = context.persistentStoreCoordinator!
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Returns whether the file is a complete store of the version, with all of its objects.
    private static func isWhole(_ folder: ScratchFolder, _ sketch: String, count: Int) throws -> Bool {
        guard let context = try? open(folder.file(), sketch, [:]) else { return false }
        defer { try? close(context) }
        let people = try context.fetch("Person", nil, [], sortedBy: nil)
        let cats = try context.fetch("Cat", "owner.dogs.@count == 1", [], sortedBy: nil)
        let key = sketch == old ? "photo" : "picture"
        let photos = cats.filter { $0.value(forKey: key) as? Data == photo }
        guard people.count == count, cats.count == count, photos.count == 1 else { return false }
        let dogs = try context.fetch("Dog", sketch == old ? nil : "age == 3", [], sortedBy: nil)
        return dogs.count == count
    }

    /// Returns the files left by copies.
    private static func leftovers(in folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            $0.hasPrefix(".\(folder.file().lastPathComponent).")
        }
    }

    nonisolated private static let faults: [(operation: FaultyFiles.Fault.Operation, code: Int32)] = [
        (.write, SQLITE_FULL), (.write, SQLITE_IOERR | 3 << 8), (.sync, SQLITE_IOERR | 4 << 8),
        (.read, SQLITE_CORRUPT),
    ]

    @Test(
        "After any failed operation the store has the old or the new version, and retry succeeds",
        arguments: faults, Way.allCases)
    func faults(_ kind: (operation: FaultyFiles.Fault.Operation, code: Int32), _ way: Way) throws {
        let original = try ScratchFolder()
        try Self.make(in: original, count: 8)
        var failures = 0
        var count = 0
        while count < 3000 {
            // The first operations one by one, then in growing steps.
            defer { count += 1 + (kind.operation == .write ? count / 4 : count) }
            let folder = try ScratchFolder()
            try FileManager.default.removeItem(at: folder.url)
            try FileManager.default.copyItem(at: original.url, to: folder.url)
            // The store and its copy.
            FaultyFiles.watch(folder.url.path)
            let fault = FaultyFiles.Fault(kind.operation, kind.code, after: count)
            FaultyFiles.arm(fault, at: folder.url.path)
            defer { FaultyFiles.clear(folder.url.path) }
            do {
                try Self.close(try Self.open(folder.file(), way.new))
                fault.disarm()
            } catch {
                failures += 1
                fault.disarm()
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                let isOld = try Self.isWhole(folder, Self.old, count: 8)
                #expect(try isOld || Self.isWhole(folder, way.new, count: 8), "\(count): \(error)")
                try Self.close(try Self.open(folder.file(), way.new))
            }
            #expect(try Self.isWhole(folder, way.new, count: 8), "after \(count)")
            #expect(try Self.leftovers(in: folder).isEmpty, "after \(count)")
            if !fault.hasFired { break }
        }
        #expect(failures > 0 || kind.operation == .sync)
    }
}
