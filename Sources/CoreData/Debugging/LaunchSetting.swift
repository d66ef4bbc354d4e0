import Foundation

/// A numeric setting with which a program is started, under a key of Apple's framework.
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
    static let concurrencyDebug = LaunchSetting(key: "com.apple.CoreData.ConcurrencyDebug")

    /// The value with which this program was started.
    var value: Int? {
        let process = ProcessInfo.processInfo
        return value(arguments: process.arguments, environment: process.environment) {
            UserDefaults.standard.object(forKey: key)
        }
    }

    /// Returns the value of the setting; nil if it is not set, or not to a number.
    func value(arguments: [String], environment: [String: String], default userDefault: () -> Any?) -> Int? {
        let shellKey = key.replacingOccurrences(of: ".", with: "_")
        let text = argument(arguments) ?? environment[key] ?? environment[shellKey]
        return text.map { Int($0) } ?? Self.number(userDefault())
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
