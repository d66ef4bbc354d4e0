import CoreData

/// The answer of the network's server.
struct Timeline: Codable {
    var users: [UserRecord]
    var tweets: [TweetRecord]

    init(users: [UserRecord], tweets: [TweetRecord]) {
        self.users = users
        self.tweets = tweets
    }

    init(data: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(Timeline.self, from: data)
    }

    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }
}

extension Timeline {
    /// Makes what the context does not have yet, and tells how many tweets that were.
    func insert(into context: NSManagedObjectContext) throws -> Int {
        let tweets = try tweets.map { try Tweet.findOrCreate($0, in: context) }
        try User.link(users, in: context)
        return tweets.filter(\.isInserted).count
    }
}

struct UserRecord: Codable {
    var screenName: String
    var name: String
    var follows: [String] = []
}

struct TweetRecord: Codable {
    var id: String
    var text: String
    var createdAt: Date
    var user: UserRecord
    var inReplyTo: String?
    var likedBy: [UserRecord] = []
}
