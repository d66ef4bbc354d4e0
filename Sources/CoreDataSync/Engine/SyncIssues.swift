public import Foundation

/// The issues of a store that the app has not acknowledged.
public struct SyncIssues: Hashable, Sendable {
    /// Values that lost against others.
    public var conflicts: [SyncConflict] = []
    /// Edits that the server did not take.
    public var rejections: [SyncRejection] = []
    /// Edits of objects that another device, which had not seen them, deleted.
    public var bin: [SyncBinEntry] = []
    /// Scans that found so many objects missing that they were not deleted on other devices.
    public var missing: [SyncMissingObjects] = []
    /// Objects of which the store does not take what was received, by its rules or the app's.
    public var parked: [SyncParkedObject] = []
    /// Objects that only the store has, which is an older copy: nothing is synced before
    /// `StoreSynchronizer.resolveUnknownObjects(_:)`.
    public var unknown: [SyncMissingObjects] = []
    /// The numbers of repairs of what differed from the server without an edit.
    public var repairs: [UInt64] = []
}

/// The value of a property in an issue.
public enum SyncIssueValue: Hashable, Sendable {
    case none
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    /// Data of so many bytes, which is stored apart.
    case large(bytes: Int)
    case uuid(UUID)
    case url(String)
    /// A related object, by its URI; nil if the store does not have it.
    case object(URL?)
    /// Values that are merged as one, by their names.
    case group([String: SyncIssueValue])
    /// A place in an ordered relationship.
    case place
}

/// A value that lost.
public struct SyncConflict: Hashable, Sendable, Identifiable {
    /// Why it lost.
    public enum Reason: String, Hashable, Sendable {
        /// Another device wrote the property at the same time, and later.
        case concurrent
        /// The deletion was undone, since other objects need this one.
        case denied
        /// The deletion was undone by an edit that it had not seen.
        case revived
        /// Another object has the unique value.
        case unique
        /// The object became one with another one of the same unique value.
        case merged
        /// Another object has the one that this one referred to.
        case exclusive
        /// The reference closed a cycle.
        case cycle
        /// A relationship had too many or too few members.
        case count
        /// The store took the place of another one, and the server has another value, or has no such object.
        case replaced
    }

    /// The number by which the issue is acknowledged.
    public var id: UInt64
    /// The name of the object's entity.
    public var entityName: String
    /// The URI of the object; nil if the store does not have it.
    public var objectURI: URL?
    /// The property; nil if it is about the existence of the object.
    public var property: String?
    /// The value that lost.
    public var value: SyncIssueValue
    /// Why it lost.
    public var reason: Reason
    /// When the value that lost was written.
    public var written: Date
    /// When the value that won was written. The object has it, unless it was changed since.
    public var overwritten: Date
    /// The device that has written the value that lost (`StoreSynchronizer.deviceID`).
    public var writer: UUID
    /// The device that has written the value that won; the server, if a rule decided.
    public var winner: UUID
    /// Whether the model has the app decide (`SyncMerge` is `ask`), and this device's value lost. An edit of
    /// the app is on top of the value that won.
    public var isQuestion: Bool
}

/// An edit that the server did not take, or that met an object deleted long ago.
public struct SyncRejection: Hashable, Sendable, Identifiable {
    /// The number by which the issue is acknowledged.
    public var id: UInt64
    /// The name of the object's entity.
    public var entityName: String
    /// The URI of the object; nil if the store does not have it.
    public var objectURI: URL?
    /// The property; nil if it is about the existence of the object.
    public var property: String?
    /// The value of the property in the edit.
    public var value: SyncIssueValue
    /// What the server said.
    public var reason: String
}

/// A part of an object that was deleted by a device which had not seen it.
public struct SyncBinEntry: Hashable, Sendable, Identifiable {
    /// The number by which the issue is acknowledged.
    public var id: UInt64
    /// The name of the object's entity.
    public var entityName: String
    /// The object's ID on all devices.
    public var object: UUID
    /// The property; nil if the object went with its owner.
    public var property: String?
    /// The value of the property in the edit.
    public var value: SyncIssueValue
    /// When the object was deleted.
    public var deleted: Date
    /// The device that has written the value (`StoreSynchronizer.deviceID`).
    public var writer: UUID
    /// The device that has deleted the object; the server, if a rule did.
    public var winner: UUID
}

/// An object that the store does not take as it was received. It is tried again after each pull; everything
/// else goes on.
public struct SyncParkedObject: Hashable, Sendable, Identifiable {
    /// The number by which the issue is acknowledged.
    public var id: UInt64
    /// The name of the object's entity.
    public var entityName: String
    /// The object's ID on all devices.
    public var object: UUID
    /// What the store or the app said.
    public var reason: String
}

/// Objects that a scan did not find, or that the server does not have.
public struct SyncMissingObjects: Hashable, Sendable, Identifiable {
    /// The number by which the issue is acknowledged.
    public var id: UInt64
    /// How many there are.
    public var count: Int
}
