import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Values that are put back from issues")
struct RestoringTests {
    @Test("A value that lost is restored on all devices, and its conflict is gone")
    func conflict() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try pair.devices[0].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await pair.sync()
        let device = pair.devices[0]
        let conflict = try #require(device.engine!.issues.conflicts.first)
        guard case .string(let lost) = conflict.value else { return #expect(Bool(false), "\(conflict)") }
        let devices = Set(pair.devices.map { $0.engine!.ledger.header.replica.uuid })
        #expect(Set([conflict.writer, conflict.winner]) == devices)
        try await device.restore(conflict.id)
        #expect(device.engine!.issues.conflicts.isEmpty)
        try await pair.sync()
        for device in pair.devices { #expect(try device.texts("title", of: "Book") == [lost]) }
    }

    @Test("A reference and a pair that lost are restored")
    func relationships() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { context in
            let library = context.insert("Library", ["name": "l"])
            let shelf = context.insert("Shelf", ["name": "s"])
            shelf.setValue(library, forKey: "library")
            for name in ["x", "y"] {
                let other = context.insert("Shelf", ["name": name])
                other.setValue(library, forKey: "library")
            }
        }
        try await pair.sync()
        for (device, name) in zip(pair.devices, ["x", "y"]) {
            try device.edit { context in
                let shelves = try context.all("Shelf")
                let parent = shelves.first { $0.value(forKey: "name") as? String == name }
                let child = shelves.first { $0.value(forKey: "name") as? String == "s" }
                child?.setValue(parent, forKey: "parent")
            }
        }
        try await pair.sync()
        let device = pair.devices[1]
        let conflict = try #require(device.engine!.issues.conflicts.first)
        #expect(conflict.property == "parent")
        guard case .object(let uri?) = conflict.value else { return #expect(Bool(false), "\(conflict)") }
        try await device.restore(conflict.id)
        try await pair.sync()
        let parent = try device.edit { context in
            let shelf = try context.all("Shelf").first { $0.value(forKey: "name") as? String == "s" }
            return (shelf?.value(forKey: "parent") as? NSManagedObject)?.objectID.uriRepresentation()
        }
        #expect(parent == uri)
    }

    @Test("A value whose object is gone stays an issue, and the error says so")
    func missing() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try pair.devices[0].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await pair.sync()
        let device = pair.devices[0]
        let conflict = try #require(device.engine!.issues.conflicts.first)
        try device.edit { context in context.delete(try context.all("Book")[0]) }
        try await pair.sync()
        await #expect(throws: StoreSyncError.self) { try await device.restore(conflict.id) }
        #expect(device.engine!.issues.conflicts.first == conflict.withoutURI)
    }
}

extension SyncConflict {
    /// The conflict once its object is gone.
    fileprivate var withoutURI: SyncConflict {
        var conflict = self
        conflict.objectURI = nil
        return conflict
    }
}
