import Logging

/// The messages of the framework to developers, through swift-log under one label.
enum FrameworkLog {
    static let label = "com.apple.coredata"

    /// Made anew each time, as a program may set up its log after the framework's first word.
    static var logger: Logger { Logger(label: label) }

    /// Says something the app's author should know.
    static func warning(_ message: String) {
        logger.warning("\(message)")
    }

    /// Says that something of the program's data is wrong.
    static func error(_ message: String) {
        logger.error("\(message)")
    }
}
