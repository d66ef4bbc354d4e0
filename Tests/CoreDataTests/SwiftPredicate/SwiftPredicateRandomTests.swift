import CoreData
import Foundation
import Testing

@Suite("Random Swift predicates")
@MainActor
struct SwiftPredicateRandomTests {
    @Test("Swift, memory and SQL find the same for a predicate", arguments: [101, 102, 103, 104] as [UInt64])
    func agreement(_ seed: UInt64) throws {
        let ask = Agreement(fleet: try Fleet(seed: seed))
        var predicates = RandomSwiftPredicates(seed: seed)
        for _ in 0..<250 { try ask.expect(predicates.next(), tells: false) }
    }
}
