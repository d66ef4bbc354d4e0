import Foundation

/// A line of a profile: a JSON object with one of these members.
///
/// Times are nanoseconds. Calls are written once, as a numbered stack of places in images; an image is a file of
/// machine code. Lines are written as events end, so a program that is killed leaves all lines but its last ones.
package struct ProfileLine: Codable, Sendable {
    /// The first line.
    package struct Header: Codable, Sendable {
        package static let currentFormat = 1

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

    package struct Event: Codable, Sendable {
        package let kind: ProfileEvent.Kind
        package let start: Int64
        package let duration: Int64
        package let entity: String?
        package let detail: String?
        package let count: Int?
        package let context: String?
        package let store: String?
        package let failure: String?
        package let thread: ThreadMark
        package let stack: Int?
    }

    package var header: Header?
    package var image: Image?
    package var stack: Stack?
    package var event: Event?
    /// The objects, by entity, whose values the row cache had since the last such line.
    package var hits: [String: Int]?

    package init() {}
}
