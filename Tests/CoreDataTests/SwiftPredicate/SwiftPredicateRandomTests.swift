import CoreData
import Foundation
import Testing

@Suite("Swift predicates by chance")
@MainActor
struct SwiftPredicateRandomTests {
    @Test("Swift, memory and SQL find the same", arguments: [101, 102, 103, 104] as [UInt64])
    func agreement(_ seed: UInt64) throws {
        let ask = Agreement(fleet: try Fleet(seed: seed))
        var predicates = RandomSwiftPredicates(seed: seed)
        for _ in 0..<250 { try ask.expect(predicates.next(), tells: false) }
    }
}
