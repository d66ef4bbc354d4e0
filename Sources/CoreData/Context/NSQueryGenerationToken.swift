public import Foundation

/// A moment in the life of the stores that a context can be pinned to. Pinning is not supported yet:
/// `setQueryGenerationFrom(_:)` throws for every token.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Stands for the generation that is current when a context first reads.
    open class var current: NSQueryGenerationToken { currentToken }
    private static let currentToken = NSQueryGenerationToken()

    override init() {}

    open class var supportsSecureCoding: Bool { true }
    public required init?(coder: NSCoder) {}
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
