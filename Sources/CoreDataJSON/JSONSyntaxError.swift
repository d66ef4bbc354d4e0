/// The reason why a text is no JSON document, with the byte at which it is malformed.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let position: Int
    package let message: String

    package var description: String { "malformed JSON at byte \(position): \(message)" }
}
