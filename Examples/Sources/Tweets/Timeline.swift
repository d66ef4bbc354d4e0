import Foundation

/// What the network's server sends.
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
