import Foundation
import Testing

@testable import CoreData

/// Predicates of any size, and of any depth that formats can have.
@Suite("Random models: predicates of many terms")
@MainActor
struct RandomTermsTests {
    nonisolated static let types: [NSPersistentStore.StoreType] = [.tested, .inMemory, .xml, .binary]

    /// Conditions in a chain, joined by one operator, or each around the one before, joined by either.
    private func condition(
        _ parts: [RandomCondition], isNested: Bool, _ random: inout SeededGenerator
    ) -> RandomCondition {
        if isNested {
            return parts.dropFirst().reduce(parts[0]) {
                .joined($0, random.chance(50) ? "AND" : "OR", $1)
            }
        }
        let word = random.chance(70) ? " OR " : " AND "
        let whole = RandomCondition(
            format: parts.map { "(\($0.format))" }.joined(separator: word),
            arguments: parts.flatMap(\.arguments), isCertain: parts.allSatisfy(\.isCertain), parts: parts)
        return whole.isCertain && random.chance(50) ? .not(whole) : whole
    }

    @Test(
        "A predicate of one or thousands of terms has one result in every store and in memory",
        arguments: RandomRun.seeds)
    func terms(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let type = Self.types[Int(seed / 2 % 4)]
        let objects = try RandomObjects(&random, type: type)
        let entity = random.pick(objects.model.entities)
        var predicates = RandomPredicates(random: random, objects: [], reach: .own)
        for count in [1, 17, 40, 1_000, seed % 4 == 0 ? 10_000 : 2_000] {
            let pool = (0..<min(count, 50)).map { _ in
                predicates.condition(.init(entity: entity), depth: 0)
            }
            let parts = (0..<count).map { _ in random.pick(pool) }
            var question = RandomQuestion(entity, &predicates, &random)
            question.condition = condition(parts, isNested: count == 40, &random)
            guard let difference = question.disagreement(objects.stack.context, objects.all) else { continue }
            Issue.record("seed \(seed): \(count) terms, \(difference.prefix(500))\n\(objects.model.text)")
            return
        }
    }

    @Test("A meaningless key path is the same error in every store, whatever its data", arguments: types)
    func malformedPaths(_ type: NSPersistentStore.StoreType) throws {
        let model = ModelSketch(
            """
            Item
              name string
              tags ->> Tag.item
            Tag
              weight int64
              label string
              item -> Item.tags
            """
        ).model
        let reasons = [
            "tags.@count.foo == 0": "keypath tags.@count.foo not found in entity Tag",
            "@sum.tags.weight > 25": "keypath @sum.tags.weight: @sum needs a to-many relationship before it",
            "tags.@sum == 1": "keypath tags.@sum: objects have no @sum",
            "tags.@max.item == 1": "keypath tags.@max.item: objects have no @max",
            "@count == 1": "keypath @count: @count needs a to-many relationship before it",
            "name.@count == 1": "keypath name.@count not found in entity Item",
            "tags.label.@sum == 1": "keypath tags.label.@sum not found in entity Item",
            "tags.@sum.none == 1": "keypath tags.@sum.none not found in entity Tag",
            "tags.none == 1": "keypath tags.none not found in entity Item",
        ]
        let folder = try ScratchFolder()
        let stack = try TestStack(model, in: folder, type: type)
        func check(_ context: NSManagedObjectContext) {
            for (format, reason) in reasons {
                let error = #expect(throws: NSError.self, "\(format)") {
                    try context.fetch("Item", format, [], sortedBy: nil)
                }
                #expect(
                    error?.localizedFailureReason?.contains(reason) == true,
                    "\(format): \(String(describing: error))")
            }
        }
        check(stack.context)
        stack.insert("Tag", ["weight": 30, "item": stack.insert("Item")])
        try stack.context.save()
        check(stack.context)
        #expect(try stack.fetch("Item", "tags.@sum.weight > 25 AND tags.@count == 1").count == 1)
        #expect(try stack.fetch("Item", "SUBQUERY(tags, $t, $t.weight > 25).@count == 1").count == 1)
        guard type != .inMemory else { return }
        check(try TestStack(model, in: folder, type: type).context)
    }

    @Test("IN with a long list, without case or diacritics, finds the same as ==", arguments: types)
    func foldedLists(_ type: NSPersistentStore.StoreType) throws {
        let model = ModelSketch("Item\n  name string").model
        let stack = try TestStack(model, type: type)
        let names: [String?] = ["Éclair", "eclair", "ECLAIR", "éclair", "straße", "STRASSE", "a", "", nil]
        for name in names { stack.insert("Item", name.map { ["name": $0] } ?? [:]) }
        try stack.context.save()
        let list = ["éCLAIR", "Straße", "", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
        for options in ["", "[c]", "[d]", "[cd]", "[n]"] {
            let each = list.map { _ in "name ==\(options) %@" }.joined(separator: " OR ")
            let wanted = NSPredicate(format: each, argumentArray: list)
            let found = NSPredicate(format: "name IN\(options) %@", argumentArray: [list])
            func fetched(_ predicate: NSPredicate) throws -> Set<NSManagedObject> {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = predicate
                return Set(try stack.context.fetch(request))
            }
            let all = try stack.fetch("Item")
            #expect(try fetched(found) == fetched(wanted), "\(options)")
            #expect(try fetched(found) == Set(all.filter { found.evaluate(with: $0) }), "\(options)")
            #expect(try !fetched(found).isEmpty || options == "[n]" || options == "")
        }
    }
}
