import CoreData
import CoreDataTool
import Foundation
import Testing

@Suite("History from the command line")
struct HistoryTests {
    private func library() throws -> LibraryStore {
        let library = try LibraryStore(history: true)
        try LibraryStore.write(LibraryModel.document, to: library.url, history: true) { context in
            context.transactionAuthor = "sync"
            let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
            for book in books { book.setValue(1, forKey: "pages") }
            context.delete(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card"))[0])
        }
        return library
    }

    @Test("Transactions and their changes come in order, with authors and properties")
    func all() throws {
        let library = try library()
        let store = try OpenedStore(at: library.url)
        let transactions = try #require(try StoreHistory(of: store)).transactions
        #expect(transactions.map(\.number) == [1, 2])
        #expect(transactions.map(\.author) == [nil, "sync"])
        #expect(transactions[0].changes.count == 12)
        #expect(transactions[0].changes.allSatisfy { $0.kind == "insert" })
        let updates = transactions[1].changes.filter { $0.kind == "update" }
        #expect(updates.allSatisfy { $0.properties.contains("pages") })
        #expect(transactions[1].changes.contains { $0.kind == "delete" && $0.object == "Card/p1" })
    }

    @Test("Transactions can be chosen by number, date, author and entity, and limited")
    func filters() throws {
        let library = try library()
        let store = try OpenedStore(at: library.url)
        func numbers(_ set: (inout StoreHistory.Filter) -> Void) throws -> [Int64]? {
            var filter = StoreHistory.Filter()
            set(&filter)
            return try StoreHistory(of: store, filter)?.transactions.map(\.number)
        }
        #expect(try numbers { $0.afterNumber = 1 } == [2])
        #expect(try numbers { $0.author = "sync" } == [2])
        #expect(try numbers { $0.author = "nobody" } == [])
        #expect(try numbers { $0.entity = "Tag" } == [1])
        #expect(try numbers { $0.limit = 1 } == [2])
        #expect(try numbers { $0.afterDate = Date() } == [])
        #expect(throws: ToolError.self) { try numbers { $0.entity = "Buch" } }
    }

    @Test("A store without history gives no transactions")
    func none() throws {
        let library = try LibraryStore()
        #expect(try StoreHistory(of: OpenedStore(at: library.url)) == nil)
    }
}
