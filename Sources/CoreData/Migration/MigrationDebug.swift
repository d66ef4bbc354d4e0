import Logging

/// Writes what migrations do to the log, if the program was started so.
enum MigrationDebug {
    static let isOn = LaunchSetting.migrationDebug.value ?? 0 > 0

    static func log(_ message: @autoclosure () -> String) {
        if isOn { FrameworkLog.logger.info("CoreData: annotation: (migration) \(message())") }
    }
}
