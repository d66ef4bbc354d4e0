import Logging

/// The messages of the framework to developers, through swift-log under one label.
package enum FrameworkLog {
    static let label = "com.apple.coredata"

    /// Made for each message, as a program may set up its log after the framework's first message.
    static var logger: Logger { Logger(label: label) }

    /// Logs a warning for the app's developer.
    static func warning(_ message: String) {
        logger.warning("\(message)")
    }

    /// Logs that some of the program's data is wrong.
    package static func error(_ message: String) {
        logger.error("\(message)")
    }
}
