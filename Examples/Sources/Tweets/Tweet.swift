import CoreData

class Tweet: NSManagedObject {
    /// The tweet with the record's identifier, made from the record if there is none yet.
    static func findOrCreate(_ record: TweetRecord, in context: NSManagedObjectContext) throws -> Tweet {
        let request: NSFetchRequest<Tweet> = Tweet.fetchRequest()
        request.predicate = NSPredicate(format: "identifier = %@", record.id)
        request.fetchLimit = 1
        if let tweet = try context.fetch(request).first { return tweet }

        let tweet = Tweet(context: context)
        tweet.identifier = record.id
        tweet.text = record.text
        tweet.createdAt = record.createdAt
        tweet.author = try User.findOrCreate(record.user, in: context)
        for name in Hashtag.names(in: record.text) {
            tweet.addToHashtags(try Hashtag.findOrCreate(name, in: context))
        }
        for user in record.likedBy {
            tweet.addToLikedBy(try User.findOrCreate(user, in: context))
        }
        if let identifier = record.inReplyTo {
            tweet.replyTo = try Tweet.find(identifier, in: context)
        }
        return tweet
    }

    static func find(_ identifier: String, in context: NSManagedObjectContext) throws -> Tweet? {
        let request: NSFetchRequest<Tweet> = Tweet.fetchRequest()
        request.predicate = NSPredicate(format: "identifier = %@", identifier)
        return try context.fetch(request).first
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: "createdAt")
        setPrimitiveValue(UUID().uuidString, forKey: "identifier")
    }

    /// Takes the hashtags along that no other tweet uses.
    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard let context = managedObjectContext else { return }
        for hashtag in hashtags as? Set<Hashtag> ?? [] where hashtag.isUnused {
            context.delete(hashtag)
        }
    }

    /// Trims the text, and refuses one that has nothing to say.
    func validateText(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let text = value.pointee as? String else { return }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
                userInfo: [
                    NSLocalizedDescriptionKey: "A tweet cannot be blank.",
                    NSValidationObjectErrorKey: self,
                    NSValidationKeyErrorKey: "text",
                ])
        }
        if trimmed != text { value.pointee = trimmed as AnyObject }
    }
}

extension Tweet {
    var hashtagNames: [String] {
        (hashtags as? Set<Hashtag> ?? []).compactMap(\.name).sorted()
    }

    var isReply: Bool { replyTo != nil }

    /// The tweet that the conversation began with.
    var conversationStart: Tweet {
        var tweet = self
        while let earlier = tweet.replyTo { tweet = earlier }
        return tweet
    }

    /// The tweets of the people a user follows, newest first.
    static func timelineRequest(for user: User) -> NSFetchRequest<Tweet> {
        let request: NSFetchRequest<Tweet> = fetchRequest()
        request.predicate = NSPredicate(format: "ANY author.followers = %@", user)
        request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
        request.relationshipKeyPathsForPrefetching = ["author"]
        request.fetchBatchSize = 20
        return request
    }
}
