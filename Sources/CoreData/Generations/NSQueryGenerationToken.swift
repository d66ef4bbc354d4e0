public import Foundation

/// A query generation: a snapshot of the stores that contexts can be pinned to.
///
/// The snapshot lasts as long as a token or a context refers to it. Tokens of one generation are equal. Only
/// `current` can be archived: no other outlives its coordinator.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Nil for the generation that is current when a context first reads.
    final let generation: QueryGeneration?

    /// The token of the generation that is current when a context first reads.
    open class var current: NSQueryGenerationToken { currentToken }
    private static let currentToken = NSQueryGenerationToken(nil)

    private static let key = "NSQueryGenerationTokenIsCurrent"

    init(_ generation: QueryGeneration?) {
        self.generation = generation
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archived token; nil for an archive of any other than `current`.
    public required init?(coder: NSCoder) {
        guard coder.decodeBool(forKey: Self.key) else { return nil }
        generation = nil
    }

    /// Writes whether the token is `current`, the only one that can be read again.
    open func encode(with coder: NSCoder) {
        coder.encode(generation == nil, forKey: Self.key)
    }

    /// Returns the token itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the other token is of the same generation.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return other.generation === generation
    }

    /// A hash of the generation's identity.
    open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}
