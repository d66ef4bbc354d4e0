import CoreDataStore
import Foundation
import Logging

/// The log of the statements of all stores, for programs that were started with
/// `-com.apple.CoreData.SQLDebug`.
enum SQLDebug {
    /// Evaluated once, when the first store opens: settings are read at the start of a program.
    static let listener: (any StatementListener)? = {
        detail(LaunchSetting.sqlDebug.value).map { listen($0, to: { FrameworkLog.logger }) }
    }()

    /// Returns the detail of a level from 1 to 4. Larger numbers count as 4; nil for smaller ones.
    static func detail(_ level: Int?) -> StatementDetail? {
        level.flatMap { $0 < 1 ? nil : StatementDetail(rawValue: min($0, 4)) }
    }

    /// - Parameter logger: Called for each statement.
    static func listen(
        _ detail: StatementDetail, to logger: @escaping @Sendable () -> Logger
    ) -> any StatementListener {
        sqliteStores.listen(detail) { path, lines in
            var logger = logger()
            logger.logLevel = .debug
            logger[metadataKey: "store"] = "\(URL(fileURLWithPath: path).lastPathComponent)"
            for line in lines { logger.debug("\(line)") }
        }
    }
}
