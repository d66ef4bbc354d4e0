import Foundation
import Testing

@testable import CoreData

@Suite("Store descriptions")
struct StoreDescriptionTests {
    @Test("A new description has Apple's defaults")
    func defaults() {
        let description = NSPersistentStoreDescription()
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.url?.path == "/dev/null")
        #expect(description.configuration == nil)
        #expect(description.timeout == 240)
        #expect(!description.isReadOnly)
        #expect(!description.shouldAddStoreAsynchronously)
        #expect(description.shouldMigrateStoreAutomatically)
        #expect(description.shouldInferMappingModelAutomatically)
        #expect(description.sqlitePragmas.isEmpty)
        #expect(
            Set(description.options.keys) == [
                NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
            ])
    }

    @Test("The URL of a PostgreSQL database tells the type of its store")
    func server() throws {
        for scheme in ["postgresql", "postgres"] {
            let url = try #require(URL(string: "\(scheme)://db.example.com/app?schema=library"))
            #expect(NSPersistentStoreDescription(url: url).type == PostgreSQLStoreType)
        }
    }

    @Test("The properties and options of a description always agree")
    func options() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/x.sqlite"))
        description.isReadOnly = true
        description.timeout = 2
        description.shouldMigrateStoreAutomatically = false
        #expect(description.options[NSReadOnlyPersistentStoreOption] == NSNumber(value: true))
        #expect(description.options[NSPersistentStoreTimeoutOption] == NSNumber(value: 2.0))
        description.setOption(NSNumber(value: false), forKey: NSReadOnlyPersistentStoreOption)
        #expect(!description.isReadOnly)
        description.setOption(nil, forKey: NSInferMappingModelAutomaticallyOption)
        #expect(!description.shouldInferMappingModelAutomatically)
    }

    @Test("Pragmas are collected in one option")
    func pragmas() {
        let description = NSPersistentStoreDescription()
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        description.setValue(NSNumber(value: 1), forPragmaNamed: "synchronous")
        #expect(description.sqlitePragmas["journal_mode"] as? String == "DELETE")
        #expect((description.options[NSSQLitePragmasOption] as? NSDictionary)?.count == 2)
        description.setValue(nil, forPragmaNamed: "journal_mode")
        description.setValue(nil, forPragmaNamed: "synchronous")
        #expect(description.options[NSSQLitePragmasOption] == nil)
    }

    @Test("A copy is equal and independent")
    func copying() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/x.sqlite"))
        description.configuration = "C"
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description)
        copy.isReadOnly = true
        #expect(copy != description)
        #expect(!description.isReadOnly)
    }
}
