import Logging

/// The log of what migrations do, which is written if the program was started with the setting for it.
enum MigrationDebug {
    static let isOn = LaunchSetting.migrationDebug.value ?? 0 > 0

    static func log(_ message: @autoclosure () -> String) {
        if isOn { FrameworkLog.logger.info("CoreData: annotation: (migration) \(message())") }
    }
}
