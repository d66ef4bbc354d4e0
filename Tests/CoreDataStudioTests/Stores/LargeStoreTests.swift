import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

private let largeStoreRowCount = Int(ProcessInfo.processInfo.environment["CORE_DATA_TEST_ROWS"] ?? "") ?? 0

/// Measures a store of as many rows as `CORE_DATA_TEST_ROWS` says; without it nothing is run.
@Suite(
    "Lists of a large store",
    .enabled(if: largeStoreRowCount > 0, "CORE_DATA_TEST_ROWS=1000000 measures a million rows"))
struct LargeStoreTests {
    /// Returns a store with so many books, made by SQL.
    private func shop() throws -> ShopStore {
        let shop = try ShopStore(bookCount: 7)
        try shop.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 8 UNION ALL SELECT i + 1 FROM n WHERE i < \(largeStoreRowCount))
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZAUTHOR)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'), 1,
                'Book ' || (i * 7919 % 1000003), i % 900, 1 + i % 7 FROM n
            """, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(largeStoreRowCount) WHERE Z_NAME = 'Book'")
        return shop
    }

    @Test("The first rows come before the rest is counted, and each page costs the same")
    func pages() async throws {
        let client = try shop().studio()
        let clock = ContinuousClock()
        let lists = [
            ("unsorted", #"{"entity":"Book"}"#),
            ("by title, without an index", #"{"entity":"Book","sort":["title"]}"#),
            ("filtered", #"{"entity":"Book","filter":"title CONTAINS[cd] '77'","sort":["pages"]}"#),
        ]
        for (title, body) in lists {
            var window = JSONValue.null
            let first = try await clock.measure { window = try await client.post("stores/s1/windows", body) }
            let id = try #require(window["window"]?.string)
            #expect(window.at("rows").elements.count == 100)
            var total = 0
            let all = try await clock.measure {
                let told = try await client.event(.progress) {
                    $0.at("window") == .string(id) && $0["isComplete"] == .boolean(true)
                }
                total = told.at("total.count").whole ?? 0
            }
            var slowest = Duration.zero
            for from in stride(from: 0, to: total - 100, by: max(1, total / 50)) {
                let page = try await clock.measure {
                    _ = try await client.get(
                        "stores/s1/windows/\(id)/rows", ["from": "\(from)", "count": "100"])
                }
                slowest = max(slowest, page)
            }
            let last = try await client.get(
                "stores/s1/windows/\(id)/rows", ["from": "\(total - 1)", "count": "10"])
            #expect(last.at("rows").elements.count == 1)
            print("\(title): first rows \(first), all \(total) keys \(all), slowest page \(slowest)")
            try await client.delete("stores/s1/windows/\(id)")
        }
    }
}
