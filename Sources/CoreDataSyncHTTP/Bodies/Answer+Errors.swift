#if SyncServer
import CoreDataSyncServer
import Hummingbird
import Logging

extension Answer {
    /// Makes the answer that an error is. What went wrong in the server itself is logged, and not told.
    init(_ error: any Error, _ logger: Logger) {
        switch error {
        case let answer as Answer: self = answer
        case let error as HTTPError:
            self.init(error.status.code, error.body ?? error.status.reasonPhrase)
        case is CancellationError: self.init(.busy)
        default:
            let (error, note) = ServiceError.sorted(error)
            if let note { logger.error("A request failed", metadata: ["error": "\(note)"]) }
            self.init(error)
        }
    }
}
#endif
