import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Strings in SQL compare as in memory")
struct StringFunctionTests {
    private static let names = ["Zoë", "zoe", "ZOË", "Änne", "anna", "Bob", "bob's", "item 10", "item 9"]

    private func store() throws -> TestStore {
        let store = try TestStore()
        let rows = Self.names.enumerated().map { index, name in
            LibraryModel.row("Member", Int64(-index - 1), ["name": .string(name)])
        }
        _ = try store.backend.commit(ChangeSet(inserted: rows + [LibraryModel.row("Member", -100)]))
        return store
    }

    private func names(_ store: TestStore, _ predicate: String? = nil, _ sort: [SortKey] = []) throws
        -> [String]
    {
        let query = FetchQuery(
            entity: LibraryModel.index("Member"),
            predicate: try predicate.map { try FormatParser.predicate($0) },
            sort: sort)
        guard case .rows(let rows) = try store.backend.fetch(query) else { return [] }
        let column = LibraryModel.column("Member", "name")
        return rows.filter { !$0.isNull(column) }.map { $0.string(column) }
    }

    @Test(
        "Operators with and without options find the expected strings",
        arguments: [
            ("name ==[cd] 'ZOE'", ["Zoë", "zoe", "ZOË"]), ("name ==[c] 'zoË'", ["Zoë", "ZOË"]),
            ("name ==[d] 'zoë'", ["zoe"]), ("name BEGINSWITH[cd] 'an'", ["Änne", "anna"]),
            ("name ENDSWITH[c] 'OB'", ["Bob"]), ("name CONTAINS[cd] 'nn'", ["Änne", "anna"]),
            ("name CONTAINS 'ob'", ["Bob", "bob's"]), ("name LIKE[c] 'b?b*'", ["Bob", "bob's"]),
            ("name MATCHES '[Bb]ob.*'", ["Bob", "bob's"]), ("name MATCHES[c] 'BOB'", ["Bob"]),
            ("NOT name CONTAINS[cd] 'o'", ["Änne", "anna", "item 10", "item 9"]),
            ("lowercase:(name) == 'zoë'", ["Zoë", "ZOË"]),
        ])
    func operators(predicate: String, expected: [String]) throws {
        #expect(Set(try names(store(), predicate)) == Set(expected))
    }

    @Test("Sorting ignores case, follows the locale or orders numbers by value")
    func sorting() throws {
        let store = try store()
        let key = { SortKey(keys: ["name"], isAscending: true, collation: $0) }
        let caseInsensitive = try names(
            store, "name CONTAINS[c] 'bob' OR name == 'anna'", [key(.caseInsensitive)])
        #expect(caseInsensitive == ["anna", "Bob", "bob's"])
        let standard = try names(store, "name BEGINSWITH 'item'", [key(.localizedStandard)])
        #expect(standard == ["item 9", "item 10"])
        let localized = try names(store, "name CONTAINS[cd] 'nn' OR name == 'Bob'", [key(.localized)])
        #expect(localized.last == "Bob")
    }

    @Test("A malformed regular expression is an error that names it")
    func malformed() throws {
        let store = try store()
        let error = try storeError { try names(store, "name MATCHES '['") }
        #expect(error.message.contains("\"[\""))
    }
}
