/// The error for a source that a reader does not understand, with the position of the first unexpected token.
package struct UnreadableSource: Error, Sendable, Hashable, CustomStringConvertible {
    package var position: SourcePosition
    package var message: String

    package var description: String { "\(position.file):\(position.line):\(position.column): \(message)" }

    /// The error as a build shows it, with the remedy.
    package var report: String {
        "\(position.file):\(position.line):\(position.column): error: \(message), as CoreDataPlugin reads this source. "
            + "If the compiler accepts it, please report this, and use CoreDataOverlayPlugin, which reads all of Swift"
    }
}
