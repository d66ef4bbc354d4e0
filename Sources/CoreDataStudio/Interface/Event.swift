package import CoreDataJSON

/// Something that happened, told to every open page.
package struct Event: Sendable, Hashable {
    /// The kind of event, by which the page calls its listeners.
    package enum Name: String, Sendable {
        /// A model has another revision.
        case model
        /// A store was written to, by this program or another.
        case store
        /// The pending edits of a store are others.
        case edits
        /// A document was opened.
        case documents
        case progress
        /// Other statements and tasks run than before.
        case work
        case ping
    }

    /// Its place in the order of all events, from 1; 0 for a ping, which is not kept.
    package let number: Int
    package let name: Name
    package let data: JSONValue

    /// The event in one line, with its line break.
    var line: [UInt8] {
        let members: [JSONValue.Member] = [
            .init("number", .integer(Int64(number))), .init("name", .string(name.rawValue)),
            .init("data", data),
        ]
        return Array((JSONValue.object(members).line + "\n").utf8)
    }
}
