import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Captures in portions")
struct PortionTests {
    /// Makes objects with references, an order and partners.
    private func fill(_ device: Device) throws {
        try device.edit { context in
            let shelf = context.insert("Shelf", ["name": "s"])
            shelf.setValue(context.insert("Library", ["name": "l"]), forKey: "library")
            let tags = (0..<3).map { context.insert("Tag", ["name": "t\($0)"]) }
            let books = (0..<7).map { context.insert("Book", ["title": "b\($0)"]) }
            for (index, book) in books.enumerated() {
                book.setValue(NSSet(object: tags[index % 3]), forKey: "tags")
            }
            shelf.setValue(NSOrderedSet(array: books.reversed()), forKey: "books")
        }
    }

    private func edit(_ device: Device) throws {
        try device.edit { context in
            for book in try context.all("Book") {
                book.setValue("edited \(book.value(forKey: "title") ?? "")", forKey: "title")
                book.setValue(NSSet(), forKey: "tags")
            }
            context.delete(try context.all("Tag")[0])
        }
        try device.move("edited b3", to: 0)
    }

    /// Returns how many changes a device makes of what is captured with a limit.
    private func changes(limit: Int) async throws -> [UInt64] {
        let pair = try Pair()
        pair.devices[0].settings.captureLimit = limit
        var numbers: [UInt64] = []
        for step in [fill, edit] {
            try step(pair.devices[0])
            try await pair.sync()
            numbers.append(pair.devices[0].engine!.ledger.header.nextNumber)
        }
        #expect(pair.devices.allSatisfy { $0.engine!.ledger.issues.isEmpty })
        #expect(try pair.devices[1].order().first == "edited b3")
        return numbers
    }

    @Test("Portions make the same changes as a capture of everything, however small they are")
    func sameChanges() async throws {
        let whole = try await changes(limit: 500)
        for limit in [1, 2, 5] { #expect(try await changes(limit: limit) == whole, "limit \(limit)") }
    }

    @Test("A process that ends amid portions goes on, also if objects of them are deleted meanwhile")
    func ends() async throws {
        var step = 0
        var isAtEnd = false
        while !isAtEnd {
            step += 1
            let pair = try Pair()
            let device = pair.devices[0]
            device.settings.captureLimit = 2
            try fill(device)
            device.crash = step
            device.before[step] = {
                try device.edit { context in
                    context.delete(try context.all("Book")[2])
                    context.delete(try context.all("Tag")[1])
                }
            }
            try await device.sync()
            isAtEnd = device.crash != nil
            try await pair.sync()
            #expect(pair.devices.allSatisfy { $0.engine!.ledger.issues.isEmpty }, "step \(step)")
            if !isAtEnd { #expect(try pair.devices[1].order().count == 6, "step \(step)") }
        }
        #expect(step > 40)
    }

    @Test("A save between two portions is pushed whole")
    func saves() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        device.settings.captureLimit = 2
        try fill(device)
        try await device.open()
        var effects = try await device.take(.start)
        var isEdited = false
        var pushed: [SyncRequest] = []
        while let effect = effects.first {
            effects.removeFirst()
            if case .captureMore = effect, !isEdited {
                isEdited = true
                try edit(device)
            }
            if case .send(_, let request) = effect { pushed.append(request) }
            if let event = try await device.perform(effect) { effects += try await device.take(event) }
        }
        guard case .push(let push) = try #require(pushed.first) else { return }
        let titles = push.changes.filter { $0.register == "title" }.compactMap(\.value.text)
        #expect(isEdited)
        #expect(titles.count == 7)
        #expect(titles.allSatisfy { !$0.hasPrefix("edited") })
        try await pair.sync()
        #expect(try pair.devices[1].order().first == "edited b3")
    }
}

extension SyncValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
