public import Foundation

/// A moment in the life of the stores that contexts can be pinned to.
///
/// The moment lasts as long as a token or a context refers to it. Tokens of the same moment are equal. Only the token
/// for the current moment can be archived: no other outlives its coordinator.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Nil for the moment that is current when a context first reads.
    final let generation: QueryGeneration?

    /// Stands for the moment that is current when a context first reads.
    open class var current: NSQueryGenerationToken { currentToken }
    private static let currentToken = NSQueryGenerationToken(nil)

    private static let key = "NSQueryGenerationTokenIsCurrent"

    init(_ generation: QueryGeneration?) {
        self.generation = generation
    }

    open class var supportsSecureCoding: Bool { true }

    /// Nil for what was no token for the current moment.
    public required init?(coder: NSCoder) {
        guard coder.decodeBool(forKey: Self.key) else { return nil }
        generation = nil
    }

    open func encode(with coder: NSCoder) {
        coder.encode(generation == nil, forKey: Self.key)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return other.generation === generation
    }

    open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}
