import CoreData
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

@Suite("Repaired copies of stores in the studio")
struct RepairTests {
    private func damaged() throws -> ShopStore {
        let shop = try ShopStore(bookCount: 20)
        try shop.run("DELETE FROM ZAUTHOR WHERE ZNAME = 'Author 1'")
        return shop
    }

    @Test("A copy beside the store is repaired, says what was done, and leaves the store as it is")
    func copy() async throws {
        let shop = try damaged()
        let before = try shop.files()
        let client = try shop.studio()
        for number in 1...2 {
            let task = try await client.post("stores/s1/tasks", #"{"kind": "repair"}"#)
            let done = try await client.event(.progress) {
                $0["task"] == task["task"] && $0["state"] == .string("done")
            }
            let place = try #require(done.at("result.copy").string)
            #expect(place.hasSuffix(number == 1 ? "Shop repaired.store" : "Shop repaired 2.store"))
            #expect(done.at("result.repaired.0").string?.contains("empty the relationship") == true)
            #expect(done.at("result.left") == .array([]))
        }
        let after = try shop.files()
        #expect(before.allSatisfy { after[$0.key] == $0.value })
    }

    @Test("A studio for reading only makes no copy")
    func refused() async throws {
        let client = try damaged().studio(readOnly: true)
        let answer = await client.response(
            .post, "stores/s1/tasks", .object([.init("kind", .string("repair"))]))
        #expect(answer.status == 403)
    }
}
