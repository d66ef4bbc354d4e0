import CoreData
import Foundation

/// A request with everything that decides which objects are found, and in which order.
struct RandomQuestion {
    let entity: NSEntityDescription
    var condition: RandomCondition
    var sort: [NSSortDescriptor]
    var offset = 0
    var limit = 0
    var batchSize = 0
    var includesSubentities = true

    init(
        _ entity: NSEntityDescription, _ predicates: inout RandomPredicates, _ random: inout SeededGenerator
    ) {
        self.entity = entity
        condition = predicates.next(entity)
        sort = Self.sort(&predicates, entity, &random)
        if random.chance(30) { limit = random.number(1...8) }
        if random.chance(30) { offset = random.number(1...8) }
        if random.chance(20) { batchSize = random.number(1...6) }
        includesSubentities = random.chance(80)
    }

    private static func sort(
        _ predicates: inout RandomPredicates, _ entity: NSEntityDescription, _ random: inout SeededGenerator
    ) -> [NSSortDescriptor] {
        let keys = (0..<random.number(0...2)).compactMap { _ in
            predicates.attribute(predicates.path(.init(entity: entity))) { $0 != .tags }
        }
        let selectors = [nil, "caseInsensitiveCompare:", "localizedStandardCompare:"]
        let sort = keys.map { key in
            let isAscending = random.chance(50)
            if case .text = key.shape, let selector = random.pick(selectors) {
                return NSSortDescriptor(
                    key: key.format, ascending: isAscending, selector: Selector(selector))
            }
            return NSSortDescriptor(key: key.format, ascending: isAscending)
        }
        return sort + [NSSortDescriptor(key: "id", ascending: true)]
    }

    // MARK: Answers

    private func request<Result: NSFetchRequestResult>(
        _ type: NSFetchRequestResultType
    ) throws -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: entity.name ?? "")
        request.resultType = type
        request.predicate = try condition.predicate()
        request.sortDescriptors = sort
        request.fetchOffset = offset
        request.fetchLimit = limit
        request.fetchBatchSize = batchSize
        request.includesSubentities = includesSubentities
        return request
    }

    func stored(_ context: NSManagedObjectContext) throws -> [Int] {
        let objects: NSFetchRequest<NSManagedObject> = try request(.managedObjectResultType)
        return try context.fetch(objects).map(RandomObjects.id)
    }

    /// Returns the result as object IDs, and the count.
    func storedIDs(_ context: NSManagedObjectContext) throws -> (ids: [Int], count: Int) {
        let ids: NSFetchRequest<NSManagedObjectID> = try request(.managedObjectIDResultType)
        let found = try context.fetch(ids).map { RandomObjects.id(context.object(with: $0)) }
        return (found, try context.count(for: ids))
    }

    func inMemory(_ objects: [NSManagedObject]) throws -> [Int] {
        let predicate = try condition.predicate()
        let found = objects.filter {
            ($0.entity === entity || includesSubentities && $0.entity.isKindOf(entity: entity))
                && predicate.evaluate(with: $0)
        }
        let sorted = NSArray(array: found).sortedArray(using: sort) as? [NSManagedObject] ?? []
        let rest = sorted.dropFirst(offset)
        return (limit > 0 ? Array(rest.prefix(limit)) : Array(rest)).map(RandomObjects.id)
    }

    /// Returns nil when a context's fetches and memory agree.
    func disagreement(_ context: NSManagedObjectContext, _ objects: [NSManagedObject]) -> String? {
        do {
            let (stored, inMemory) = (try stored(context), try inMemory(objects))
            if stored != inMemory { return "SQL \(stored), memory \(inMemory)" }
            let (ids, count) = try storedIDs(context)
            if ids != stored { return "objects \(stored), IDs \(ids)" }
            return count == stored.count ? nil : "count \(count), found \(stored)"
        } catch {
            return "\(error)"
        }
    }

    /// Returns the smallest part of the condition for which they disagree.
    func shrunk(_ disagrees: (RandomQuestion) -> Bool) -> RandomQuestion {
        for part in condition.parts {
            var smaller = self
            smaller.condition = part
            if disagrees(smaller) { return smaller.shrunk(disagrees) }
        }
        return self
    }

    /// For a failure's message.
    var text: String {
        """
        \(entity.name ?? ""): \(condition.format) \(condition.arguments)
        sort \(sort) offset \(offset) limit \(limit) batch \(batchSize) subentities \(includesSubentities)
        """
    }
}
