package import CoreDataJSON

/// What the page asks for, after the server has checked who asks.
package struct StudioRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    package let method: Method
    /// The parts of the path behind `/api/`, decoded.
    package let path: [String]
    /// The fields of the query, decoded.
    package let query: [String: String]
    /// The body; `null` for a request without one.
    package let body: JSONValue

    package init(
        _ method: Method, _ path: [String], query: [String: String] = [:], body: JSONValue = .null
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }
}
