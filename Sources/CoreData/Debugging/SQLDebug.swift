import CoreDataSQL
import Foundation
import Logging

/// Writes the statements of all stores to the log, if the program was started so.
enum SQLDebug {
    /// Evaluated once, when the first store opens: settings are read at the start of a program.
    static let listener: SQLLog.Listener? = {
        detail(LaunchSetting.sqlDebug.value).map { listen($0, to: { FrameworkLog.logger }) }
    }()

    /// Returns the detail of a level from 1 to 4. Larger numbers count as 4; nil for smaller ones.
    static func detail(_ level: Int?) -> SQLLog.Detail? {
        level.flatMap { $0 < 1 ? nil : SQLLog.Detail(rawValue: min($0, 4)) }
    }

    /// - Parameter logger: asked for each statement.
    static func listen(
        _ detail: SQLLog.Detail, to logger: @escaping @Sendable () -> Logger
    ) -> SQLLog.Listener {
        SQLLog.listen(detail) { entry in
            var logger = logger()
            logger.logLevel = .debug
            logger[metadataKey: "store"] = "\(URL(fileURLWithPath: entry.path).lastPathComponent)"
            for line in SQLLogText.lines(entry) { logger.debug("\(line)") }
        }
    }
}
