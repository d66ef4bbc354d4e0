package import CoreDataJSON

/// What the page is answered.
package struct StudioResponse: Sendable {
    package enum Body: Sendable {
        case json(JSONValue)
        /// Bytes that the page shows itself, or offers under a name.
        case bytes([UInt8], type: ContentType, fileName: String? = nil)
        /// Parts that are sent as they come, until the sequence ends or the page goes away.
        case parts(AsyncThrowingStream<[UInt8], any Error>, type: ContentType, fileName: String? = nil)
    }

    /// The types that stored bytes may have. There is none that a browser would run.
    package enum ContentType: String, Sendable {
        case bytes = "application/octet-stream"
        case text = "text/plain; charset=utf-8"
        case json = "application/json"
        /// One JSON document a line, as they come.
        case events = "application/x-ndjson"
        case png = "image/png"
        case jpeg = "image/jpeg"
        case gif = "image/gif"
        case webp = "image/webp"
        case csv = "text/csv; charset=utf-8"
    }

    package let status: Int
    package let body: Body

    package init(status: Int = 200, _ body: Body) {
        self.status = status
        self.body = body
    }

    package static func json(_ value: JSONValue) -> Self { Self(.json(value)) }
}

/// Answers requests. The server knows nothing else of what lies behind it.
package typealias StudioHandler = @Sendable (StudioRequest) async -> StudioResponse
