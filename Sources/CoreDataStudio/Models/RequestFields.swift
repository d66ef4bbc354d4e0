import CoreDataJSON
import CoreDataStudioInterface

/// The fields of a request: those of its body, or else of its query.
struct RequestFields: Sendable {
    let body: JSONValue
    private let query: [String: String]

    init(_ request: StudioRequest) {
        body = request.body
        query = request.query
    }

    /// Returns a text; nil if the field is missing or null.
    func text(_ name: String) throws(StudioFailure) -> String? {
        switch body[name] {
        case nil, .null?: return query[name]
        case .string(let text)?: return text
        default: throw StudioFailure(.malformed, "\"\(name)\" has to be a text")
        }
    }

    func number(_ name: String) throws(StudioFailure) -> Int {
        switch body[name] {
        case .integer(let number)?: return Int(number)
        case nil: if let number = query[name].flatMap({ Int($0) }) { return number }
        default: break
        }
        throw StudioFailure(.malformed, "\"\(name)\" has to be a whole number")
    }
}
