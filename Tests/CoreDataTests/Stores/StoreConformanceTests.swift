import CoreData
import CoreDataConformance
import Testing

@Suite("Conformance of every type of store")
struct StoreConformanceTests {
    private static let whole: StoreConformance.Capabilities = [
        .persistence, .optimisticLocking, .derivation, .objectPredicates, .metadata, .totals, .generations,
        .longDecimals,
    ]

    @Test(
        "SQLite stores conform",
        arguments: StoreConformance(
            NSSQLiteStoreType,
            capabilities: [
                .persistence, .optimisticLocking, .uniqueness, .batches, .history, .generations, .derivation,
                .metadata,
                .totals,
            ]
        ).checks)
    func sqlite(_ check: StoreConformance.Check) throws { try check.run() }

    @Test(
        "In-memory stores conform",
        arguments: StoreConformance(
            NSInMemoryStoreType,
            capabilities: [
                .optimisticLocking, .derivation, .objectPredicates, .totals, .generations, .longDecimals,
            ]
        ).checks)
    func inMemory(_ check: StoreConformance.Check) throws { try check.run() }

    @Test("XML stores conform", arguments: StoreConformance(NSXMLStoreType, capabilities: whole).checks)
    func xml(_ check: StoreConformance.Check) throws { try check.run() }

    @Test("Binary stores conform", arguments: StoreConformance(NSBinaryStoreType, capabilities: whole).checks)
    func binary(_ check: StoreConformance.Check) throws { try check.run() }
}
