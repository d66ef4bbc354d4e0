import CoreDataSQL
import Foundation

/// How much of the SQL a program wants to see, by the settings of Apple's framework.
///
/// The first of these that is there decides; a value that is no number from 1 to 4 is off, larger numbers are 4.
/// 1. the launch argument: `-com.apple.CoreData.SQLDebug 3`
/// 2. the environment: `com.apple.CoreData.SQLDebug=3`, or `com_apple_CoreData_SQLDebug=3`, which a shell can say
/// 3. the user default `com.apple.CoreData.SQLDebug` of the program
enum SQLDebugLevel {
    static let key = "com.apple.CoreData.SQLDebug"
    static let shellKey = "com_apple_CoreData_SQLDebug"

    static func detail(
        arguments: [String], environment: [String: String], default userDefault: () -> Any?
    ) -> SQLLog.Detail? {
        let text = argument(arguments) ?? environment[key] ?? environment[shellKey]
        let number = text.map { Int($0) } ?? number(userDefault())
        return number.flatMap { $0 < 1 ? nil : SQLLog.Detail(rawValue: min($0, 4)) }
    }

    /// The last one counts, as for user defaults from arguments.
    private static func argument(_ arguments: [String]) -> String? {
        guard let index = arguments.lastIndex(of: "-\(key)"), index + 1 < arguments.count else { return nil }
        return arguments[index + 1]
    }

    private static func number(_ value: Any?) -> Int? {
        (value as? NSNumber)?.intValue ?? (value as? Int) ?? (value as? String).flatMap { Int($0) }
    }
}
