import Foundation
import Testing

/// Everything that makes, moves, changes and ends a store, in processes that are stopped at their system
/// calls: the program `store-worker`, which `CONTRIBUTING.md` tells how to run by hand, has the operations
/// and what must be true of them.
@Suite("Stores survive whatever stops an operation on them")
struct InterruptedStoreTests {
    /// At how many of its calls an operation is stopped: `CORE_DATA_TEST_POINTS=0` for all of them.
    private static let points = ProcessInfo.processInfo.environment["CORE_DATA_TEST_POINTS"]

    @Test(
        "A process that dies, or fails, at any call leaves the old store, the new one or none",
        arguments: [("death", "2"), ("deaths", "1"), ("half", "1"), ("error", "1"), ("full", "1")])
    func disturbed(_ disturbance: String, points: String) async throws {
        try await StoreWorker.run([disturbance, Self.points ?? points])
    }

    @Test(
        "Two processes that interfere at any call each succeed, or fail with an error that says so",
        arguments: points != nil
            ? [["contest"], ["mixed"]]
            : [
                ["contest", "create", "create"], ["contest", "migrate", "migrate"],
                ["contest", "replace", "open"], ["contest", "open", "destroy"],
                ["contest", "set metadata", "migrate"], ["contest", "set metadata", "destroy"],
                ["mixed", "create", "create"], ["mixed", "put", "convert to sqlite", "sqlite", "xml"],
                ["mixed", "open", "convert to xml over sqlite"],
                ["mixed", "migrate by a manager", "create", "xml", "sqlite"],
            ])
    func contested(_ arguments: [String]) async throws {
        try await StoreWorker.run([arguments[0], Self.points ?? "2"] + arguments.dropFirst())
    }
}
