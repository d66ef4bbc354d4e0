/// Thrown by a transport if the server wants a later version of the app. Edits wait until the app is updated.
public struct SyncOutdated: Error, Hashable, Sendable, CustomStringConvertible {
    /// The version that the server wants at least.
    public let minimumVersion: String

    /// Makes an error that names a version.
    public init(minimumVersion: String) { self.minimumVersion = minimumVersion }

    /// The error in a sentence.
    public var description: String { "the server wants version \(minimumVersion) of the app, or a later one" }
}
