#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// An answer that says why there is none: a status, a text for people, and when to come again.
struct Answer: Error, Hashable {
    var status: Int
    var text: String
    /// Seconds.
    var retryAfter: Int?

    init(_ status: Int, _ text: String, retryAfter: Int? = nil) {
        self.status = status
        self.text = text
        self.retryAfter = retryAfter
    }

    init(_ error: ServiceError) {
        switch error {
        case .forbidden(let text): self.init(403, text)
        case .missing(let text): self.init(404, text)
        case .malformed(let text): self.init(400, text)
        case .model(let text): self.init(422, text)
        case .tooMany(let things, let most): self.init(403, "a user has at most \(most) \(things)")
        case .tooOften(let seconds):
            self.init(429, "ask again in \(max(1, seconds)) s", retryAfter: max(1, seconds))
        case .conflict(let text): self.init(409, text)
        // Not long: the next push may delete.
        case .quota(let bytes): self.init(507, "a zone has at most \(bytes) bytes", retryAfter: 60)
        case .full: self.init(507, "the disk of the server is full", retryAfter: 600)
        case .busy: self.init(503, "the server is busy", retryAfter: 2)
        case .broken: self.init(500, "the server failed; its log says why")
        }
    }

    func response(to request: Request) -> Response {
        var fields = HTTPFields()
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        if status == 401 { fields[.wwwAuthenticate] = "Bearer" }
        return Response(.object(["error": .text(text)]), status, to: request, fields)
    }
}

extension Refusal {
    /// The status of an answer whose body has the refusal.
    var status: Int {
        switch self {
        case .epoch, .forgotten: 410
        case .clone, .clockAhead: 409
        case .invalid, .tooManySteps: 422
        }
    }

    /// The name under which it is counted.
    var kind: String {
        switch self {
        case .epoch: "epoch"
        case .forgotten: "forgotten"
        case .clone: "clone"
        case .clockAhead: "clock"
        case .invalid: "invalid"
        case .tooManySteps: "steps"
        }
    }
}
#endif
