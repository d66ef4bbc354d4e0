import Testing

@Suite("Stores whose driver the program lacks")
struct MissingDriverTests {
    @Test("Every call on a PostgreSQL store names the product that its driver is in, and shows no password")
    func everyCall() async throws { try await StoreWorker.run(["driverless"]) }
}
