import CoreData
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataPostgreSQL

@Suite("Privileges of the role of a PostgreSQL store", .needsServer)
@MainActor
struct PrivilegeTests {
    @Test("A role that may not make the table of marks is told what to grant, and can read, or do without")
    func marks() throws {
        let model = ItemStore.model([ItemStore.attribute("name", .stringAttributeType)])
        let url = try Place.new()
        let store = try ItemStore(model, at: url)
        store.insert(["name": "a"])
        try store.context.save()
        let owner = try PostgreSQLStores.session(PostgreSQLStores.options(url.absoluteString), 60)
        defer { owner.close() }
        let role = "clerk\(UUID().uuidString.prefix(8).lowercased())"
        try owner.execute("CREATE ROLE \(SQLIdentifier.foreign(role)) LOGIN")
        defer {
            try? owner.execute("DROP OWNED BY \(SQLIdentifier.foreign(role))")
            try? owner.execute("DROP ROLE \(SQLIdentifier.foreign(role))")
        }
        let schema = SQLIdentifier.foreign(
            try #require(try owner.texts("SELECT CAST(current_schema() AS text)").first))
        try owner.execute("DROP TABLE z_saves")
        for kind in ["USAGE ON SCHEMA", "ALL ON ALL TABLES IN SCHEMA", "ALL ON ALL SEQUENCES IN SCHEMA"] {
            try owner.execute(
                "GRANT \(SQLText(stored: kind)) \(schema) TO \(SQLIdentifier.foreign(role))")
        }
        var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
        parts.user = role
        let clerk = try #require(parts.url)
        let error = #expect(throws: NSError.self) { try ItemStore(model, at: clerk) }
        #expect(error?.localizedFailureReason?.contains("grant it CREATE") == true)
        let reader = try ItemStore(
            model, at: clerk, options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        #expect(try reader.context.count(for: reader.request()) == 1)
        let writer = try ItemStore(model, at: clerk, options: [PostgreSQLSaveMarksKey: false as NSNumber])
        writer.insert(["name": "b"])
        try writer.context.save()
        try owner.execute("GRANT CREATE ON SCHEMA \(schema) TO \(SQLIdentifier.foreign(role))")
        let marking = try ItemStore(model, at: clerk)
        #expect(try marking.context.count(for: marking.request()) == 2)
    }
}
