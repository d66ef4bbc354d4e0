import CoreData
import Foundation

/// A request for dictionaries: columns, perhaps grouped, with aggregates and a condition on the groups.
struct RandomSummary {
    /// An aggregate of many values.
    struct Fold {
        let function: String
        let keyPath: String

        var name: String { "\(function) \(keyPath)" }

        var column: NSExpressionDescription {
            let column = NSExpressionDescription()
            column.name = name
            column.expression = NSExpression(
                forFunction: "\(function):", arguments: [NSExpression(forKeyPath: keyPath)])
            column.expressionResultType = function == "count" ? .integer64AttributeType : .doubleAttributeType
            return column
        }

        /// Returns the aggregate as SQL computes it: nil is ignored, and the sum of nothing is zero.
        func value(of objects: [NSManagedObject]) -> Double? {
            let values = objects.compactMap { ($0.value(forKeyPath: keyPath) as? NSNumber)?.doubleValue }
            return switch function {
            case "count": Double(values.count)
            case "sum": values.reduce(0, +)
            case "min": values.min()
            case "max": values.max()
            default: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
            }
        }
    }

    let entity: NSEntityDescription
    private let condition: RandomCondition
    private var keys: [String] = []
    private var folds: [Fold] = []
    private var isGrouped = false
    /// The smallest value of the first aggregate that a group may have.
    private var having: Int?
    private var isDistinct = false
    private var limit = 0
    private var offset = 0

    init(
        _ entity: NSEntityDescription, _ predicates: inout RandomPredicates, _ random: inout SeededGenerator
    ) {
        self.entity = entity
        condition = random.chance(50) ? predicates.next(entity) : RandomCondition(format: "TRUEPREDICATE")
        keys = Self.keys(
            entity, &predicates, random.number(0...2)
        ) { $0.isNumber || [.text, .flag, .date, .uuid].contains($0) }
        let numbers = Self.keys(entity, &predicates, random.number(keys.isEmpty ? 1...2 : 0...2)) {
            $0.isNumber
        }
        folds = numbers.map {
            Fold(function: random.pick(["count", "sum", "min", "max", "average"]), keyPath: $0)
        }
        isGrouped = !keys.isEmpty && (!folds.isEmpty || random.chance(30))
        if isGrouped, !folds.isEmpty, random.chance(40) { having = random.number(-1...8) }
        isDistinct = folds.isEmpty && !isGrouped && random.chance(60)
        guard isGrouped || isDistinct else { return }
        if random.chance(30) { limit = random.number(1...4) }
        if random.chance(30) { offset = random.number(1...4) }
    }

    /// Different key paths of attributes.
    private static func keys(
        _ entity: NSEntityDescription, _ predicates: inout RandomPredicates, _ count: Int,
        _ accepts: (RandomValues.Kind) -> Bool
    ) -> [String] {
        var keys: Set<String> = []
        for _ in 0..<count {
            let path = predicates.path(.init(entity: entity))
            if let key = predicates.attribute(path, accepts)?.format { keys.insert(key) }
        }
        return keys.isEmpty && count > 0 ? ["id"] : keys.sorted()
    }

    // MARK: By the store

    private func request() throws -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
        request.resultType = .dictionaryResultType
        request.predicate = try condition.predicate()
        request.propertiesToFetch = keys as [Any] + folds.map(\.column)
        if isGrouped { request.propertiesToGroupBy = keys }
        if let having {
            request.havingPredicate = NSPredicate(format: "\(havingText) >= %d", having)
        }
        request.returnsDistinctResults = isDistinct
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        return request
    }

    private var havingText: String { "\(folds[0].function):(\(folds[0].keyPath))" }

    func stored(_ context: NSManagedObjectContext) throws -> [String] {
        let rows = try context.fetch(try request()).map { row in
            (keys.map { Self.text(row[$0]) } + folds.map { Self.text(row[$0.name]) }).joined(separator: ", ")
        }
        return isOrdered ? rows : rows.sorted()
    }

    func count(_ context: NSManagedObjectContext) throws -> Int { try context.count(for: try request()) }

    /// Whether all rows differ in the values by which they are sorted.
    private var isOrdered: Bool { isGrouped || isDistinct }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let number as NSNumber: "\(number.doubleValue)"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        // Compared by their bytes, as in SQL.
        case let text as String: text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
        case let value?: "\(value)"
        }
    }

    // MARK: By hand

    func byHand(_ objects: [NSManagedObject]) throws -> [String] {
        let predicate = try condition.predicate()
        let found = objects.filter { $0.entity.isKindOf(entity: entity) && predicate.evaluate(with: $0) }
        let sort = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        let sorted = NSArray(array: found).sortedArray(using: sort) as? [NSManagedObject] ?? []
        if !isOrdered, !folds.isEmpty { return [row(of: [], folding: sorted)] }
        if !isOrdered { return sorted.map { row(of: key($0), folding: []) }.sorted() }
        var groups: [(key: [String], members: [NSManagedObject])] = []
        for object in sorted {
            let key = key(object)
            if groups.last?.key == key {
                groups[groups.count - 1].members.append(object)
            } else {
                groups.append((key, [object]))
            }
        }
        if let having {
            groups.removeAll { (folds[0].value(of: $0.members) ?? -.infinity) < Double(having) }
        }
        let rest = groups.dropFirst(offset)
        return (limit > 0 ? rest.prefix(limit) : rest).map { row(of: $0.key, folding: $0.members) }
    }

    private func key(_ object: NSManagedObject) -> [String] {
        keys.map { Self.text(object.value(forKeyPath: $0)) }
    }

    private func row(of key: [String], folding objects: [NSManagedObject]) -> String {
        (key + folds.map { Self.text($0.value(of: objects).map { NSNumber(value: $0) }) })
            .joined(separator: ", ")
    }

    /// For a failure's message.
    var text: String {
        let having = having.map { " having \(havingText) >= \($0)" } ?? ""
        return "\(entity.name ?? "") \(keys) \(folds.map(\.name)) grouped \(isGrouped)\(having) distinct "
            + "\(isDistinct) offset \(offset) limit \(limit)\n\(condition.format) \(condition.arguments)"
    }
}
