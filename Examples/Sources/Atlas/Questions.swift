import CoreData

/// A dozen questions across the relationships of the atlas.
struct Questions {
    let context: NSManagedObjectContext

    func answerAll() throws {
        try list(
            "Countries of five letters whose name begins with \"ch\"", Country.self,
            "name BEGINSWITH[cd] %@ AND name MATCHES %@", ["ch", ".{5}"], by: "name")
        try list(
            "Côte d'Ivoire, typed without its circumflex", Country.self, "name CONTAINS[cd] %@", ["cote"],
            by: "name")
        try list(
            "Countries with more than 150 subdivisions", Country.self, "subdivisions.@count > 150", [],
            by: "name")
        try list(
            "Countries that have a canton", Country.self, "ANY subdivisions.type == %@", ["Canton"],
            by: "name")
        try list(
            "Countries all of whose subdivisions are emirates", Country.self,
            "subdivisions.@count > 0 AND SUBQUERY(subdivisions, $s, $s.type != %@).@count == 0", ["Emirate"],
            by: "name")
        try list(
            "Cantons of Switzerland, the last three by name", Subdivision.self,
            "country.alpha2 == %@", ["CH"], by: "name", ascending: false, limit: 3)
        try list(
            "Rayons inside Azerbaijan's autonomous republic", Subdivision.self,
            "parent.type CONTAINS[c] 'autonomous' AND country.name == 'Azerbaijan'", [], by: "name", limit: 4)
        try list(
            "Parts of France with the most parts of their own", Subdivision.self,
            "country.alpha2 == 'FR' AND children.@count >= 8", [], by: "name")
        try list(
            "Countries numbered between 30 and 50", Country.self, "number BETWEEN {30, 50}", [], by: "number")
        try list("The Benelux", Country.self, "alpha2 IN %@", [["BE", "NL", "LU"]], by: "name")
        try list(
            "Constructed languages", Language.self, "kind.code == 'C' AND NOT name CONTAINS 'sign'", [],
            by: "name", limit: 6)
        try countLanguages()
    }

    private func list<Entity: NSManagedObject>(
        _ question: String, _ type: Entity.Type, _ format: String, _ arguments: [Any], by key: String,
        ascending: Bool = true, limit: Int = 8
    ) throws {
        let request = NSFetchRequest<Entity>(entityName: String(describing: type))
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
        let total = try context.count(for: request)
        request.fetchLimit = limit
        let start = Date()
        let found = try context.fetch(request)
        let names = found.map { $0.value(forKey: "name") as? String ?? "" }
        print("\n\(question)?  [\(total) in \(milliseconds(since: start))]")
        print("  " + names.joined(separator: ", ") + (total > found.count ? ", …" : ""))
    }

    private func countLanguages() throws {
        let count = NSExpressionDescription()
        count.name = "languages"
        count.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression(forKeyPath: "alpha3")])
        count.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Language")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["kind.code", count]
        request.propertiesToGroupBy = ["kind.code"]
        print("\nLanguages by kind?")
        for row in try context.fetch(request) {
            print("  \(row["kind.code"] ?? "-"): \(row["languages"] ?? 0)")
        }
    }
}

func milliseconds(since start: Date) -> String {
    String(format: "%.1f ms", -start.timeIntervalSinceNow * 1000)
}
