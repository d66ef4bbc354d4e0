/// What the service calls one of its records.
public typealias RemoteRecordID = String

/// One change at the service.
public enum RemoteRecordChange<Record> {
    case insert(Record)
    case update(Record)
    case delete(RemoteRecordID)
}

extension RemoteRecordChange: Sendable where Record: Sendable {}
extension RemoteRecordChange: Equatable where Record: Equatable {}
