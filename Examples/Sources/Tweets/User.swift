import CoreData

class User: NSManagedObject {
    /// The user with the record's screen name, made from the record if there is none yet.
    static func findOrCreate(_ record: UserRecord, in context: NSManagedObjectContext) throws -> User {
        if let user = try find(record.screenName, in: context) { return user }
        let user = User(context: context)
        user.screenName = record.screenName
        user.name = record.name
        return user
    }

    static func find(_ screenName: String, in context: NSManagedObjectContext) throws -> User? {
        let request: NSFetchRequest<User> = User.fetchRequest()
        request.predicate = NSPredicate(format: "screenName ==[c] %@", screenName)
        return try context.fetch(request).first
    }

    /// Lets the users of the records follow whom the records say.
    static func link(_ records: [UserRecord], in context: NSManagedObjectContext) throws {
        for record in records {
            let user = try findOrCreate(record, in: context)
            let request: NSFetchRequest<User> = User.fetchRequest()
            request.predicate = NSPredicate(format: "screenName IN %@", record.follows)
            user.addToFollowing(NSSet(array: try context.fetch(request)))
        }
    }
}

extension User {
    /// Counted by the store, without reading a tweet.
    func countTweets(mentioning text: String? = nil) throws -> Int {
        guard let context = managedObjectContext else { return 0 }
        let request: NSFetchRequest<Tweet> = Tweet.fetchRequest()
        var predicates = [NSPredicate(format: "author = %@", self)]
        if let text { predicates.append(NSPredicate(format: "text CONTAINS[cd] %@", text)) }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        return try context.count(for: request)
    }

    var mostRecentTweet: Tweet? {
        (tweets as? Set<Tweet>)?.max { ($0.createdAt ?? .distantPast) < ($1.createdAt ?? .distantPast) }
    }

    /// Users with more than that many tweets, by screen name.
    static func busy(moreThan count: Int) -> NSFetchRequest<User> {
        sorted(NSPredicate(format: "tweets.@count > %d", count))
    }

    /// Users who read and never write.
    static func silent() -> NSFetchRequest<User> {
        sorted(NSPredicate(format: "tweets.@count == 0 AND following.@count > 0"))
    }

    /// Users with a tweet under that hashtag.
    static func using(hashtag name: String) -> NSFetchRequest<User> {
        sorted(NSPredicate(format: "ANY tweets.hashtags.name = %@", name))
    }

    /// Users with that many tweets about something since a date.
    static func writing(about text: String, since date: Date, atLeast count: Int) -> NSFetchRequest<User> {
        sorted(
            NSPredicate(
                format: "SUBQUERY(tweets, $t, $t.text CONTAINS[cd] %@ AND $t.createdAt >= %@).@count >= %d",
                text, date as CVarArg, count))
    }

    private static func sorted(_ predicate: NSPredicate) -> NSFetchRequest<User> {
        let request: NSFetchRequest<User> = fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(keyPath: \User.screenName, ascending: true)]
        return request
    }
}
