import Foundation

extension Timeline {
    /// A day of an invented network: every user tweets once an hour, and answers the one before now and then.
    static func sample(hours: Int = 12) -> Timeline {
        let ada = UserRecord(screenName: "ada", name: "Ada", follows: ["grace", "emmy"])
        let grace = UserRecord(screenName: "grace", name: "Grace", follows: ["ada"])
        let emmy = UserRecord(screenName: "emmy", name: "Emmy", follows: ["ada", "grace"])
        let lurker = UserRecord(
            screenName: "lurker", name: "Just Reading", follows: ["ada", "grace", "emmy"])
        let writers = [ada, grace, emmy]
        let texts = [
            "Wrote a note on #engines today",
            "Found a moth in the relay #bug #hardware",
            "Every symmetry has its law #physics",
            "Programs for a machine that is not built yet #engines #software",
            "It is easier to ask forgiveness #software",
        ]
        let midnight = Date(timeIntervalSince1970: 1_700_006_400)
        let tweets = (0..<hours * writers.count).map { index in
            TweetRecord(
                id: "t\(index)", text: texts[index % texts.count],
                createdAt: midnight.addingTimeInterval(Double(index / writers.count) * 3600 + Double(index)),
                user: writers[index % writers.count],
                inReplyTo: index > 0 && index % 4 == 0 ? "t\(index - 1)" : nil,
                likedBy: index % 6 == 0 ? [lurker, emmy] : [])
        }
        return Timeline(users: writers + [lurker], tweets: tweets)
    }
}
