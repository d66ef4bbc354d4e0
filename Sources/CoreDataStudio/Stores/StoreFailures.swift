import CoreData
import CoreDataJSON
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool

/// The failures of requests about stores.
enum StoreFailures {
    static func noObject(_ name: String) -> StudioFailure {
        StudioFailure(.notFound, "there is no object \(name)")
    }

    static func malformed(_ message: String) -> StudioFailure { StudioFailure(.malformed, message) }

    static let isReadOnly = StudioFailure(
        .forbidden, "the store is open for reading only",
        [.init("hint", .string("start coredata studio with --editing to change objects"))])

    private static func ended(_ isTimedOut: Bool) -> StudioFailure {
        StudioFailure(
            .refused,
            isTimedOut
                ? "the query took longer than \(TimeLimit.seconds) seconds and was ended"
                : "the query was cancelled")
    }

    /// Returns the failure of a fetch whose names and predicate came from the page.
    static func fetch(_ error: any Error, isTimedOut: Bool = false) -> any Error {
        switch error {
        case is StudioFailure: return error
        case let error as PredicateSyntaxError:
            return StudioFailure(
                .malformed, "\(error)", [.init("position", .integer(Int64(error.position)))])
        case let error as StoreError:
            if case .cancelled = error.kind { return ended(isTimedOut) }
            return StudioFailure(.malformed, ErrorText.describe(error))
        case is ToolError: return StudioFailure(.malformed, ErrorText.describe(error))
        case CocoaError.userCancelled: return ended(isTimedOut)
        // A key that an object lacks, for one.
        case let error as NSError where error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError:
            return StudioFailure(.malformed, ErrorText.describe(error))
        default: return error
        }
    }
}
