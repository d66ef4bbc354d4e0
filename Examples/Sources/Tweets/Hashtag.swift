import CoreData

class Hashtag: NSManagedObject {
    static func findOrCreate(_ name: String, in context: NSManagedObjectContext) throws -> Hashtag {
        let request: NSFetchRequest<Hashtag> = Hashtag.fetchRequest()
        request.predicate = NSPredicate(format: "name = %@", name)
        if let hashtag = try context.fetch(request).first { return hashtag }
        let hashtag = Hashtag(context: context)
        hashtag.name = name
        return hashtag
    }

    /// The hashtags of a text, each once, in lower case and without the sign.
    static func names(in text: String) -> Set<String> {
        let words = text.split(whereSeparator: \.isWhitespace)
        return Set(words.filter { $0.hasPrefix("#") && $0.count > 1 }.map { $0.dropFirst().lowercased() })
    }
}

extension Hashtag {
    /// Whether every tweet with the hashtag is about to go.
    var isUnused: Bool {
        (tweets as? Set<Tweet> ?? []).filter { !$0.isDeleted }.isEmpty
    }

    /// How often each hashtag was used, counted by the store.
    static func usage(in context: NSManagedObjectContext) throws -> [String: Int] {
        let uses = NSExpressionDescription()
        uses.name = "uses"
        uses.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression(forKeyPath: "tweets")])
        uses.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Hashtag")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", uses]
        var usage: [String: Int] = [:]
        for row in try context.fetch(request) {
            guard let name = row["name"] as? String else { continue }
            usage[name] = row["uses"] as? Int
        }
        return usage
    }
}
