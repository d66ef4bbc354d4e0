import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Edits that are larger than a request")
struct SizeTests {
    @Test("Edits of more bytes than the server takes at once are sent in several pushes")
    func portions() async throws {
        let pair = try Pair()
        pair.server.requestBytes = 20_000
        for device in pair.devices { device.settings.pushBytes = 15_000 }
        let titles = (0..<6).map { String(repeating: "\($0)", count: 9_000) }
        try pair.devices[0].edit { context in
            for title in titles { _ = context.insert("Book", ["title": title]) }
        }
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == titles)
        #expect(pair.devices[0].engine!.ledger.issues.isEmpty)
    }

    @Test("A value that no push can take is an issue with its object and property, and the rest is sent")
    func oversized() async throws {
        let pair = try Pair()
        pair.server.requestBytes = 20_000
        for device in pair.devices { device.settings.pushBytes = 15_000 }
        let device = pair.devices[0]
        try device.edit { _ = $0.insert("Book", ["title": "a", "isbn": "1"]) }
        try await pair.sync()
        let text = String(repeating: "x", count: 15_000)
        let uri = try device.edit { context in
            let book = try context.all("Book")[0]
            book.setValue(text, forKey: "title")
            book.setValue("2", forKey: "isbn")
            _ = context.insert("Tag", ["name": "t"])
            return book.objectID.uriRepresentation()
        }
        try await pair.sync()
        let rejection = try #require(device.engine!.issues.rejections.first)
        #expect(rejection.objectURI == uri)
        #expect(rejection.property == "title")
        #expect(rejection.value == .string(text))
        #expect(rejection.reason.hasPrefix("it has 150"))
        for device in pair.devices {
            #expect(try device.texts("isbn", of: "Book") == ["2"])
            #expect(try device.texts("title", of: "Book") == ["a"])
            #expect(try device.texts("name", of: "Tag") == ["t"])
        }
    }
}
