import CoreDataSQL
import CoreDataSyncCore

/// Why a request was not answered, beside the refusals that the protocol itself has.
package enum ServiceError: Error, Hashable, Sendable {
    /// The caller is known and must not do this.
    case forbidden(String)
    /// There is no such thing, or the caller must not know of it.
    case missing(String)
    /// The request is no request.
    case malformed(String)
    /// The model cannot be synced, or contradicts the one that the server has.
    case model(String)
    /// There are as many as are allowed already.
    case tooMany(String, Int)
    /// The caller asks too often, and may ask again after so many seconds.
    case tooOften(seconds: Int)
    /// Another request works on the same thing, or it stands elsewhere.
    case conflict(String)
    /// The zone has as many bytes as are allowed.
    case quota(UInt64)
    /// The disk of the server is full.
    case full
    /// The server cannot answer now; the same request may succeed later.
    case busy
    /// The server itself fails; its log says why.
    case broken

    /// Sorts an error of the database or of a message, and returns it with what the log should say.
    package static func sorted(_ error: any Error) -> (error: ServiceError, note: String?) {
        switch error {
        case let error as ServiceError: (error, nil)
        case let error as WireError: (.malformed(error.description), nil)
        case let error as SyncModelError: (.model(error.description), nil)
        case is ServerBusy: (.busy, nil)
        case let error as SQLError:
            switch error.kind {
            // Of a connection that is lost while a push commits nobody knows whether it did. The device sends it
            // again, and it is recognized.
            case .busy, .interrupted, .serialization, .connectionLost, .outcomeUnknown, .cannotOpen,
                .readOnly:
                (.busy, error.description)
            case .invalidValue: (.malformed(error.message), nil)
            case .diskFull, .cannotCreate: (.full, error.description)
            default: (.broken, error.description)
            }
        default: (.broken, "\(error)")
        }
    }
}
