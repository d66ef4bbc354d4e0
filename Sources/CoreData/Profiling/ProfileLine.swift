import Foundation

/// A line of a profile: a JSON object with one of these members.
///
/// Times are nanoseconds. What repeats is written once, and has a number: the texts of events, and calls, as a stack of
/// places in images; an image is a file of machine code. Lines are written as events end, so a program that is killed leaves all lines but its last ones.
package struct ProfileLine: Codable, Sendable {
    /// The first line.
    package struct Header: Codable, Sendable {
        package static let currentFormat = 2

        /// The format of the file, for readers.
        package let format: Int
        package let program: String
        package let arguments: [String]
        package let process: Int32
        /// The moment of time 0.
        package let date: Date
    }

    package struct Image: Codable, Sendable {
        package let number: Int
        package let path: String
    }

    package struct Stack: Codable, Sendable {
        package let number: Int
        /// Pairs of an image and an offset in it, the innermost call first. The offset lies within the call.
        package let frames: [[UInt]]
    }

    package struct Text: Codable, Sendable {
        package let number: Int
        package let value: String
    }

    package struct Event: Codable, Sendable {
        package let kind: ProfileEvent.Kind
        package let start: Int64
        package let duration: Int64
        package let entity: String?
        package private(set) var detail: String?
        /// The number of `detail`, if it stands in a line of its own.
        package let text: Int?
        package let count: Int?
        package let context: String?
        package let store: String?
        /// The numbers of the texts that identify the stores it could read or write; nil if they are not known.
        package let stores: [Int]?
        package let failure: String?
        package let thread: ThreadMark
        package let stack: Int?

        /// Returns the event with the text of its number.
        package func resolved(by texts: [Int: String]) -> Event {
            guard let text else { return self }
            var event = self
            event.detail = texts[text]
            return event
        }
    }

    package var header: Header?
    package var image: Image?
    package var stack: Stack?
    package var text: Text?
    package var event: Event?
    /// The objects, by entity, whose values the row cache had since the last such line.
    package var hits: [String: Int]?

    package init() {}
}
