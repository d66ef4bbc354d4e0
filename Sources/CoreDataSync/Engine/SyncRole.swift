/// What the user may do with the data of a server, as the server says.
public enum SyncRole: String, Hashable, Sendable, CaseIterable {
    /// Reads. Edits are rejections.
    case reader
    /// Reads and writes.
    case writer
    /// Reads and writes, and decides who else may.
    case owner

    /// Whether edits are taken.
    public var mayWrite: Bool { self != .reader }
}

/// Thrown by a transport if the user may read what is there, but not change it: what was to be sent becomes
/// rejections, and the store gets back what the server has.
public struct SyncDenial: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the server said.
    public let reason: String

    /// Makes a denial.
    public init(reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
