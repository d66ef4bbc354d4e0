import CoreDataTool
import Foundation
import Testing

@Suite("Names of stores")
struct StoreNameTests {
    @Test(
        "A store is called by its file, its schema or its database, without a password",
        arguments: [
            ("/tmp/Library.sqlite", "Library.sqlite"),
            ("postgresql://ann:secret@db.example/library?schema=shelves&sslmode=disable", "shelves"),
            ("postgresql://ann:secret@db.example/library", "library"),
            ("postgresql://ann:secret@db.example/", "postgresql://db.example/"),
            ("postgresql://ann:secret@db.example", "postgresql://db.example"),
        ])
    func storeNames(place: String, name: String) throws {
        #expect(try URL(store: place).storeName == name)
    }
}
