import CoreData
import Foundation
import Testing

/// Evaluates a question in Swift, as the translated predicate in memory, and in SQL.
@MainActor
struct Agreement {
    let fleet: Fleet

    /// Returns the translation's text, and requires a question that some sailors satisfy and some do not.
    @discardableResult
    func expect(
        _ predicate: Predicate<Sailor>, tells: Bool = true, _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let translated = try NSPredicate(translating: predicate)
        let expected = try fleet.sailors.filter { try predicate.evaluate($0) }.map(\.number)
        let inMemory = fleet.sailors.filter { translated.evaluate(with: $0) }.map(\.number)
        #expect(inMemory == expected, "in memory: \(translated.text)", sourceLocation: location)
        let inStore = try fleet.fetched(translated)
        #expect(inStore == expected, "in SQL: \(translated.text)", sourceLocation: location)
        if tells {
            let isTelling = !expected.isEmpty && expected.count < fleet.sailors.count
            #expect(
                isTelling, "\(expected.count) found: \(translated.text)", sourceLocation: location)
        }
        return translated.text
    }
}
