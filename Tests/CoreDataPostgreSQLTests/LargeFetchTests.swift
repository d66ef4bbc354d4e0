import CoreData
import CoreDataLibpq
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@MainActor @Suite("Fetches of many objects from a PostgreSQL store", .needsServer)
struct LargeFetchTests {
    @Test("A fetch that found many objects before has them copied, with the same values in the same order")
    func copying() throws {
        let name = UUID().uuidString
        let url = try #require(URL(string: "\(Place.new())&application_name=\(name)"))
        let store = try ItemStore(ItemValues.model, at: url)
        for number in 0..<2500 { store.insert(ItemValues.ofItem(number)) }
        try store.context.save()
        func fetch() throws -> [NSDictionary] {
            store.context.reset()
            let request = store.request()
            request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: false)]
            return try store.context.fetch(request).map {
                NSDictionary(dictionary: $0.committedValues(forKeys: nil))
            }
        }
        let first = try fetch()
        #expect(try !lastStatements(name).contains { $0.hasPrefix("COPY") })
        var second: [NSDictionary] = []
        #expect(try TripCounter.count { second = try fetch() } == 1)
        #expect(try lastStatements(name).contains { $0.hasPrefix("COPY (SELECT") })
        #expect(first.count == 2500)
        #expect(first == second)
        #expect(second.first?["n"] as? Int == 2499)
    }

    /// Returns the last statements of the sessions of a program.
    private func lastStatements(_ name: String) throws -> [String] {
        let connection = try PostgreSQLConnection(ConnectionOptions(TestServer.shared().url))
        var found: [String] = []
        try connection.forEachRow(
            of: "SELECT query FROM pg_stat_activity WHERE application_name = ?", ParameterList(name)
        ) {
            cells throws(PostgreSQLError) in
            if let text: String = cells.value(0) { found.append(text) }
        }
        return found
    }
}
