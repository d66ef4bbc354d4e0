/// How much one user may have and ask for.
package struct ServiceLimits: Hashable, Sendable {
    package var zones = 100
    package var devices = 50
    /// The bytes of a zone's items; zero is no limit.
    package var zoneBytes: UInt64 = 0
    /// The changes of one push, and the items of a page.
    package var changes = 1000
    package var page = 1000
    /// About how many bytes of items a page has.
    package var pageBytes = 4 << 20
    /// The bytes of a body.
    package var bodyBytes = 4 << 20
    /// The bytes of a blob.
    package var blobBytes: UInt64 = 256 << 20
    /// The connections on which a user waits for news.
    package var live = 50
    /// The answers that are on their way to a user, besides those that wait for news.
    package var answers = 64
    /// What a user may ask for in a second; ten times as much at once.
    package var requestsPerSecond = 50.0
    package var changesPerSecond = 5000.0
    package var bytesPerSecond = 4e6
    /// The requests without a valid token that an address may send in a second; ten times as many at once.
    package var failuresPerSecond = 2.0
    /// The objects that are restored at once.
    package var restored = 1000

    package init() {}
}
