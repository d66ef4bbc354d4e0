import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool

/// The completion of a predicate as the page gets it, for the rows of stores and for models.
extension PredicateCompletion {
    var json: JSONValue {
        let items = items.map { item in
            JSONValue.object([
                .init("text", .string(item.text)), .init("kind", .string(item.kind.rawValue)),
                .init("detail", .string(item.detail)),
            ])
        }
        let mistake = mistake.map { mistake in
            JSONValue.object([
                .init("position", .integer(Int64(mistake.position))),
                .init("length", .integer(Int64(mistake.length))), .init("message", .string(mistake.message)),
            ])
        }
        return .object([
            .init("start", .integer(Int64(start))), .init("items", .array(items)),
            .init("mistake", mistake ?? .null),
        ])
    }

    /// The answer where nothing is known of what may come.
    static let nothing = JSONValue.object([
        .init("start", .integer(0)), .init("items", .array([])), .init("mistake", .null),
    ])

    /// - Throws: A `StudioFailure` for a text that is too long to be read again at each key.
    static func requireShort(_ text: String) throws(StudioFailure) {
        guard text.utf8.count <= WindowRequest.longestFilter else {
            throw StudioFailure(
                .tooLarge, "the predicate is longer than \(WindowRequest.longestFilter >> 10) KB")
        }
    }
}
