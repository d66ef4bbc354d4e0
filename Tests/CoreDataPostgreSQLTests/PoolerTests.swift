import CoreData
import CoreDataConformance
import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite(
    "Stores behind a pooler of sessions", .needsServer,
    .enabled(if: Bouncer.isExpected, "\(Bouncer.absence)"))
struct PoolerTests {
    private static let bouncer = Result { () throws(TestServer.Failure) in try Bouncer() }

    private static func url(schema: String, _ more: String = "") throws -> URL {
        try #require(URL(string: "\(try bouncer.get().url)&schema=\(schema)\(more)"))
    }

    @Test(
        "Stores in PostgreSQL databases conform behind a pooler of sessions",
        arguments: StoreConformance(
            PostgreSQLStoreType, capabilities: PostgreSQLConformanceTests.capabilities,
            place: { name in try url(schema: "pooled-\(name)") },
            options: { [NSPersistentHistoryTrackingKey: true as NSNumber] }
        ).checks)
    func conforms(_ check: StoreConformance.Check) throws { try check.run() }

    @Test("Saves are announced through a pooler of sessions")
    func remoteChanges() throws {
        let options: [String: NSObject] = [
            NSPersistentHistoryTrackingKey: true as NSNumber,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
        ]
        let direct = try FaultStore(options: options)
        let pooled = try FaultStore(
            sharing: direct, at: try Self.url(schema: direct.schema), options: options)
        let (directEar, pooledEar) = (Ear(direct.coordinator), Ear(pooled.coordinator))
        for number in 0..<3 as Range<Int64> {
            let writer = number == 1 ? direct : pooled
            try writer.save(number)
            let token = try #require(writer.coordinator.currentPersistentHistoryToken(fromStores: nil))
            #expect(directEar.hears(token))
            #expect(pooledEar.hears(token))
        }
    }
}
