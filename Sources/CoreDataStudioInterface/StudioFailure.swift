package import CoreDataJSON

/// A request that is not carried out, and why.
package struct StudioFailure: Error, Sendable, Hashable {
    package enum Kind: Int, Sendable {
        case malformed = 400
        case forbidden = 403
        case notFound = 404
        /// What the page saw is no longer so.
        case conflict = 409
        case tooLarge = 413
        /// The model, or the rules of the store, do not allow it.
        case refused = 422
        case failed = 500
    }

    package let kind: Kind
    /// The reason, for people.
    package let message: String
    /// More about it: `path`, `position`, `hint`, or the state that the page has to take.
    package let details: [JSONValue.Member]

    package init(_ kind: Kind, _ message: String, _ details: [JSONValue.Member] = []) {
        self.kind = kind
        self.message = message
        self.details = details
    }

    package var response: StudioResponse {
        StudioResponse(
            status: kind.rawValue, .json(.object([JSONValue.Member("error", .string(message))] + details)))
    }
}
