import CoreData
import Foundation
import Testing

@testable import Tweets

@Suite("Tweets and their users")
@MainActor
struct TweetsTests {
    private let controller = PersistenceController(at: ScratchFile.passing("Tweets"))
    private var context: NSManagedObjectContext { controller.container.viewContext }

    private func importSample(hours: Int = 12) async throws {
        _ = try await controller.importTimeline(Timeline.sample(hours: hours).data())
    }

    private func user(_ screenName: String) throws -> User {
        try #require(try User.find(screenName, in: context))
    }

    private func screenNames(_ request: NSFetchRequest<User>) throws -> [String?] {
        try context.fetch(request).map(\.screenName)
    }

    @Test("A time line imported twice is stored once")
    func importing() async throws {
        let data = try Timeline.sample().data()
        #expect(try await controller.importTimeline(data) == 36)
        #expect(try await controller.importTimeline(data) == 0)
        #expect(try context.count(for: Tweet.fetchRequest()) == 36)
        #expect(try context.count(for: User.fetchRequest()) == 4)
        #expect(try context.count(for: Hashtag.fetchRequest()) == 5)
    }

    @Test("Imports that run at the same time store each tweet, user and hashtag once")
    func overlappingImports() throws {
        let contexts = [controller.importContext(), controller.importContext()]
        for (context, hours) in zip(contexts, [4, 12]) {
            let count = try context.performAndWait { try Timeline.sample(hours: hours).insert(into: context) }
            #expect(count == hours * 3)
        }
        for context in contexts {
            try context.performAndWait { try context.save() }
        }
        #expect(try context.count(for: Tweet.fetchRequest()) == 36)
        #expect(try context.count(for: User.fetchRequest()) == 4)
        #expect(try context.count(for: Hashtag.fetchRequest()) == 5)
        #expect(try user("lurker").following?.count == 3)
        let usage = try Hashtag.usage(in: context)
        let expected = Timeline.sample().tweets.flatMap { Hashtag.names(in: $0.text) }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(usage == expected)
        let orphans: NSFetchRequest<Tweet> = Tweet.fetchRequest()
        orphans.predicate = NSPredicate(format: "author = nil")
        #expect(try context.count(for: orphans) == 0)
        #expect(try Tweet.find("t4", in: context)?.replyTo?.identifier == "t3")
    }

    @Test("Users are found by what they wrote and by what the users they follow wrote")
    func questions() async throws {
        try await importSample()
        #expect(try screenNames(User.busy(moreThan: 11)) == ["ada", "emmy", "grace"])
        #expect(try screenNames(User.busy(moreThan: 12)) == [])
        #expect(try screenNames(User.silent()) == ["lurker"])
        #expect(try screenNames(User.using(hashtag: "physics")) == ["ada", "emmy", "grace"])
        let evening = Date(timeIntervalSince1970: 1_700_006_400 + 9 * 3600)
        let late = User.writing(about: "ENGINES", since: evening, atLeast: 2)
        let expected = Timeline.sample().tweets
            .filter { $0.createdAt >= evening && $0.text.contains("engines") }
            .reduce(into: [:]) { $0[$1.user.screenName, default: 0] += 1 }
            .filter { $0.value >= 2 }.keys.sorted()
        #expect(!expected.isEmpty)
        #expect(try screenNames(late) == expected)
    }

    @Test("A user's time line has the tweets of those the user follows, newest first")
    func timeline() async throws {
        try await importSample()
        let tweets = try context.fetch(Tweet.timelineRequest(for: user("ada")))
        #expect(tweets.count == 24)
        #expect(Set(tweets.compactMap { $0.author?.screenName }) == ["grace", "emmy"])
        #expect(tweets.map { $0.createdAt! } == tweets.map { $0.createdAt! }.sorted(by: >))
        #expect(try context.fetch(Tweet.timelineRequest(for: user("lurker"))).count == 36)
    }

    @Test("Users count their tweets in the store, unsaved ones included")
    func counting() async throws {
        try await importSample()
        let ada = try user("ADA")
        #expect(try ada.countTweets() == 12)
        let before = try ada.countTweets(mentioning: "relay")
        let tweet = Tweet(context: context)
        tweet.text = "The RÉLAY works"
        tweet.author = ada
        #expect(try ada.countTweets(mentioning: "relay") == before + 1)
        #expect(ada.mostRecentTweet === tweet)
        context.rollback()
        #expect(try ada.countTweets(mentioning: "relay") == before)
    }

    @Test("Computed helpers walk the relationships")
    func helpers() async throws {
        try await importSample()
        let reply = try #require(try Tweet.find("t4", in: context))
        #expect(reply.isReply)
        #expect(reply.replyTo?.identifier == "t3")
        #expect(reply.conversationStart.identifier == "t3")
        let moth = try #require(try Tweet.find("t1", in: context))
        #expect(moth.hashtagNames == ["bug", "hardware"])
        #expect(moth.author?.following?.count == 1)
        let usage = try Hashtag.usage(in: context)
        let expected = Timeline.sample().tweets.flatMap { Hashtag.names(in: $0.text) }
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        #expect(usage == expected)
    }

    @Test("A new tweet has a date and an identifier from the start")
    func awakening() throws {
        let tweet = Tweet(context: context)
        #expect(abs(try #require(tweet.createdAt).timeIntervalSinceNow) < 60)
        #expect(tweet.identifier?.count == 36)
    }

    @Test("A tweet's text is trimmed, and an empty or long text is refused")
    func validation() throws {
        let user = User(context: context)
        user.screenName = "ada"
        let tweet = Tweet(context: context)
        tweet.author = user
        tweet.text = "  hello\n"
        try context.save()
        #expect(tweet.text == "hello")

        tweet.text = " \n"
        let blank = #expect(throws: NSError.self) { try context.save() }
        #expect(blank?.code == NSManagedObjectValidationError)
        #expect(blank?.userInfo[NSValidationKeyErrorKey] as? String == "text")
        #expect(blank?.localizedDescription == "A tweet cannot be blank.")

        tweet.text = String(repeating: "x", count: 281)
        let long = #expect(throws: NSError.self) { try context.save() }
        #expect(long?.code == NSValidationStringTooLongError)
        tweet.text = String(repeating: "x", count: 280)
        try context.save()
    }

    @Test("A screen name must match the pattern, and several faults are one error")
    func severalErrors() throws {
        let user = User(context: context)
        user.screenName = "not a name"
        let tweet = Tweet(context: context)
        tweet.author = user
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        #expect(
            Set(details.map(\.code)) == [
                NSValidationStringPatternMatchingError, NSValidationMissingMandatoryPropertyError,
            ])
    }

    @Test("Deleting the last tweet with a hashtag deletes the hashtag")
    func hashtags() async throws {
        try await importSample(hours: 1)
        let moth = try #require(try Tweet.find("t1", in: context))
        #expect(try Hashtag.usage(in: context) == ["engines": 1, "bug": 1, "hardware": 1, "physics": 1])
        context.delete(moth)
        try context.save()
        #expect(try Hashtag.usage(in: context) == ["engines": 1, "physics": 1])
        #expect(try context.count(for: Hashtag.fetchRequest()) == 2)
    }

    @Test("Deleting a user deletes the user's tweets and their hashtags, and the follow links")
    func deletingUser() async throws {
        try await importSample()
        for name in ["ada", "emmy", "grace"] {
            let request: NSFetchRequest<Tweet> = Tweet.fetchRequest()
            request.predicate = NSPredicate(format: "NOT author.screenName = %@", name)
            let others = try context.count(for: request)
            context.delete(try user(name))
            try context.save()
            #expect(try context.count(for: Tweet.fetchRequest()) == others)
        }
        #expect(try context.count(for: Hashtag.fetchRequest()) == 0)
        #expect(try user("lurker").following?.count == 0)
        #expect(try user("lurker").likes?.count == 0)
    }
}
