package import CoreDataJSON

/// Something that a profile shows to be slow, and what can be done about it.
package struct ProfileFinding: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Objects were read one by one from one place.
        case faultLoop
        /// Relationships were read one by one from one place.
        case relationshipLoop
        /// The same request was made again, and nothing was saved between.
        case repeatedFetch
        /// A statement reads all rows of a table.
        case fullScan
        /// A save kept the main thread for longer than a frame.
        case blockingSave
    }

    package let kind: Kind
    /// What happened, how often, and how long it took.
    package let message: String
    package let advice: String
    /// The place in the app; nil if it has no name.
    package let site: CallSite?
    /// The number of events.
    package let count: Int
    /// The time that they took together, in nanoseconds.
    package let duration: Int64
    /// From the beginning of the first event to the end of the last one.
    package let span: Range<Int64>

    package var text: String {
        var lines = [message]
        for call in site?.calls.prefix(3) ?? [] { lines.append("    at \(call.text)") }
        lines.append("    \(advice)")
        return lines.joined(separator: "\n")
    }

    package var json: JSONValue {
        .object([
            .init("kind", .string(kind.rawValue)),
            .init("message", .string(message)),
            .init("advice", .string(advice)),
            .init("count", .integer(Int64(count))),
            .init("nanoseconds", .integer(duration)),
            .init("start", .integer(span.lowerBound)),
            .init("end", .integer(span.upperBound)),
            .init("calls", .array((site?.calls ?? []).map { .string($0.text) })),
        ])
    }
}
