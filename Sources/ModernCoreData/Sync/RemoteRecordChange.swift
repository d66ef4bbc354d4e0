/// The ID that the service has for one of its records.
public typealias RemoteRecordID = String

/// One change at the service.
public enum RemoteRecordChange<Record> {
    /// The record is new.
    case insert(Record)
    /// The record has changed.
    case update(Record)
    /// The record with this ID no longer exists.
    case delete(RemoteRecordID)
}

extension RemoteRecordChange: Sendable where Record: Sendable {}
extension RemoteRecordChange: Equatable where Record: Equatable {}
