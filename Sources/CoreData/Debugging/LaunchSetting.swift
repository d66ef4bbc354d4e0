import Foundation

/// A setting with which a program is started, under a key of Apple's framework.
///
/// The first of these that is there decides:
/// 1. the launch argument: `-com.apple.CoreData.SQLDebug 3`
/// 2. the environment: `com.apple.CoreData.SQLDebug=3`, or `com_apple_CoreData_SQLDebug=3`, which a shell can
///    set
/// 3. the program's user default of that name
struct LaunchSetting {
    let key: String

    static let sqlDebug = LaunchSetting(key: "com.apple.CoreData.SQLDebug")
    static let migrationDebug = LaunchSetting(key: "com.apple.CoreData.MigrationDebug")
    /// The path of a file that a profile is written to; an addition to Apple's settings.
    static let profile = LaunchSetting(key: "com.apple.CoreData.Profile")
    static let concurrencyDebug = LaunchSetting(key: "com.apple.CoreData.ConcurrencyDebug")

    /// The number with which this program was started; nil if the setting is not there, or no number.
    var value: Int? {
        let process = ProcessInfo.processInfo
        return value(arguments: process.arguments, environment: process.environment) {
            UserDefaults.standard.object(forKey: key)
        }
    }

    /// The text with which this program was started.
    var text: String? {
        let process = ProcessInfo.processInfo
        return text(arguments: process.arguments, environment: process.environment)
            ?? UserDefaults.standard.string(forKey: key)
    }

    /// Returns the value of the setting; nil if it is not set, or not to a number.
    func value(arguments: [String], environment: [String: String], default userDefault: () -> Any?) -> Int? {
        let text = text(arguments: arguments, environment: environment)
        return text.map { Int($0) } ?? Self.number(userDefault())
    }

    private func text(arguments: [String], environment: [String: String]) -> String? {
        let shellKey = key.replacingOccurrences(of: ".", with: "_")
        return argument(arguments) ?? environment[key] ?? environment[shellKey]
    }

    /// Returns the setting's value from the arguments: the last if there are several, as for user defaults.
    private func argument(_ arguments: [String]) -> String? {
        guard let index = arguments.lastIndex(of: "-\(key)"), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }

    private static func number(_ value: Any?) -> Int? {
        (value as? NSNumber)?.intValue ?? (value as? Int) ?? (value as? String).flatMap { Int($0) }
    }
}
