import CoreData

/// Something to ask the atlas, and the request that asks it.
struct Question {
    let text: String
    let answer: (NSManagedObjectContext) throws -> Table

    /// A question that a list of objects answers; each column is a key path.
    static func list(
        _ text: String, _ entityName: String, where format: String, _ arguments: Any...,
        sortedBy keys: [String] = ["name"], limit: Int = 8, columns: KeyValuePairs<String, String>
    ) -> Question {
        Question(text: text) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            let total = try context.count(for: request)
            request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
            request.fetchLimit = limit
            let objects = try context.fetch(request)
            let rows = objects.map { object in
                columns.map { object.value(forKeyPath: $0.value).map { "\($0)" } ?? "" }
            }
            let note = total > rows.count ? "… \(total) in all" : nil
            return Table(columns: columns.map(\.key), rows: rows, note: note)
        }
    }

    /// A question that counting by groups answers: the largest groups first.
    static func groups(
        _ text: String, of entityName: String, by key: String, counting counted: String, moreThan least: Int,
        columns: [String]
    ) -> Question {
        Question(text: text) { context in
            let count = NSExpressionDescription()
            count.name = "count"
            count.expression = NSExpression(
                forFunction: "count:", arguments: [NSExpression(forKeyPath: counted)])
            count.expressionResultType = .integer64AttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: entityName)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [key, count]
            request.propertiesToGroupBy = [key]
            let groups = try context.fetch(request).map { row in
                (row[key] as? String ?? "", row["count"] as? Int ?? 0)
            }
            let largest = groups.filter { $0.1 > least }.sorted { $0.1 > $1.1 }
            return Table(columns: columns, rows: largest.map { [$0.0, "\($0.1)"] })
        }
    }
}
