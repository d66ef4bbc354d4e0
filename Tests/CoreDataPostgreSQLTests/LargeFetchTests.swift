import CoreData
import CoreDataLibpq
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@MainActor @Suite("Fetches of many objects from a PostgreSQL store", .needsServer)
struct LargeFetchTests {
    private let types: [(String, NSAttributeType)] = [
        ("n", .integer64AttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
        ("amount", .decimalAttributeType), ("size", .doubleAttributeType), ("isOn", .booleanAttributeType),
        ("uuid", .UUIDAttributeType), ("data", .binaryDataAttributeType), ("link", .URIAttributeType),
    ]

    /// Returns the values of an item, some of which are nil.
    private func values(_ number: Int) -> [String: Any] {
        let byte = UInt8(truncatingIfNeeded: number)
        let all: [String: Any] = [
            "n": number, "text": number % 5 == 0 ? "" : "é \(number)",
            "date": Date(timeIntervalSinceReferenceDate: Double(number) / 7),
            "amount": NSDecimalNumber(string: "-\(number).000\(number)"), "size": Double(number) / 3,
            "isOn": number % 2 == 0,
            "uuid": UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
            "data": Data(repeating: byte, count: number % 40),
            "link": URL(fileURLWithPath: "/\(number)"),
        ]
        return all.filter { $0.key == "n" || (number + $0.key.count) % 6 != 0 }
    }

    @Test("A fetch that found many objects before has them copied, with the same values in the same order")
    func copying() throws {
        let name = UUID().uuidString
        let url = try #require(URL(string: "\(Place.new())&application_name=\(name)"))
        let model = ItemStore.model(types.map(ItemStore.attribute))
        let store = try ItemStore(model, at: url)
        for number in 0..<2500 { store.insert(values(number)) }
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
