import CoreData
import CoreDataConformance
import CoreDataPostgreSQL
import Testing

@Suite("Stores in PostgreSQL databases", .needsServer)
struct PostgreSQLConformanceTests {
    static let capabilities: StoreConformance.Capabilities = [
        .persistence, .optimisticLocking, .uniqueness, .batches, .history, .generations, .metadata, .totals,
        .longDecimals,
    ]

    @Test(
        "Stores in PostgreSQL databases conform",
        arguments: StoreConformance(
            PostgreSQLStoreType, capabilities: capabilities, place: { name in try Place.url(schema: name) },
            options: { [NSPersistentHistoryTrackingKey: true as NSNumber] }
        ).checks)
    func conforms(_ check: StoreConformance.Check) throws { try check.run() }
}
