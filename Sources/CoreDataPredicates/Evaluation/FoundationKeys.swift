import CoreDataValues
import Foundation

/// The properties of Foundation's values and objects that keys can read on Apple's systems, by their
/// Objective-C names.
enum FoundationKeys {
    /// Returns the value of a property, which may itself be nil; nil for any other key.
    static func value(_ key: String, of value: AttributeValue) -> Any?? {
        switch value {
        case .string(let string): self.value(key, of: string)
        case .date(let date): self.value(key, of: date)
        case .uri(let url): self.value(key, of: url)
        case .uuid(let uuid): key == "UUIDString" ? .some(uuid.uuidString) : nil
        case .data(let data): key == "length" ? .some(data.count) : nil
        case .boolean(let flag): self.value(key, of: NSNumber(value: flag))
        case .integer(let number): self.value(key, of: NSNumber(value: number))
        case .double(let number): self.value(key, of: NSNumber(value: number))
        case .decimal(let number): self.value(key, of: NSDecimalNumber(decimal: number))
        case .null, .reference, .composite: nil
        }
    }

    /// Returns the value of a property, which may itself be nil; nil for any other key and for other objects.
    static func value(_ key: String, ofObject object: Any) -> Any?? {
        switch object {
        case let defaults as UserDefaults: .some(defaults.object(forKey: key))
        case let error as NSError: value(key, of: error)
        case let notification as Notification: value(key, of: notification)
        case let notification as NSNotification: value(key, of: notification as Notification)
        case let text as NSAttributedString:
            switch key {
            case "string": .some(text.string)
            case "length": .some(text.length)
            default: nil
            }
        case let path as IndexPath: key == "length" ? .some(path.count) : nil
        case let set as IndexSet: value(key, of: set)
        case let progress as Progress: value(key, of: progress)
        case let bundle as Bundle: value(key, of: bundle)
        case let locale as Locale: key == "localeIdentifier" ? .some(locale.identifier) : nil
        case let zone as TimeZone: key == "name" ? .some(zone.identifier) : nil
        default: nil
        }
    }

    // MARK: Values

    private static func value(_ key: String, of string: String) -> Any?? {
        let text = NSString(string: string)
        return switch key {
        case "length": .some(text.length)
        case "lowercaseString": .some(string.lowercased())
        case "uppercaseString": .some(string.uppercased())
        case "capitalizedString": .some(string.capitalized)
        case "intValue": .some(text.intValue)
        case "integerValue": .some(text.integerValue)
        case "longLongValue": .some(text.longLongValue)
        case "floatValue": .some(text.floatValue)
        case "doubleValue": .some(text.doubleValue)
        case "boolValue": .some(text.boolValue)
        case "lastPathComponent": .some(text.lastPathComponent)
        case "pathExtension": .some(text.pathExtension)
        case "pathComponents": .some(text.pathComponents)
        case "stringByDeletingPathExtension": .some(text.deletingPathExtension)
        case "stringByDeletingLastPathComponent": .some(text.deletingLastPathComponent)
        default: nil
        }
    }

    private static func value(_ key: String, of date: Date) -> Any?? {
        switch key {
        case "timeIntervalSinceReferenceDate": .some(date.timeIntervalSinceReferenceDate)
        case "timeIntervalSince1970": .some(date.timeIntervalSince1970)
        case "timeIntervalSinceNow": .some(date.timeIntervalSinceNow)
        default: nil
        }
    }

    private static func value(_ key: String, of url: URL) -> Any?? {
        switch key {
        case "absoluteString": .some(url.absoluteString)
        case "absoluteURL": .some(url.absoluteURL)
        case "relativeString": .some(url.relativeString)
        case "relativePath": .some(url.relativePath)
        case "baseURL": .some(url.baseURL)
        case "scheme": .some(url.scheme)
        case "host": .some(url.host)
        case "port": .some(url.port)
        case "user": .some(url.user)
        case "password": .some(url.password)
        case "path": .some(url.path)
        case "query": .some(url.query)
        case "fragment": .some(url.fragment)
        case "lastPathComponent": .some(url.lastPathComponent)
        case "pathExtension": .some(url.pathExtension)
        case "pathComponents": .some(url.pathComponents)
        case "isFileURL", "fileURL": .some(url.isFileURL)
        default: nil
        }
    }

    private static func value(_ key: String, of number: NSNumber) -> Any?? {
        switch key {
        case "boolValue": .some(number.boolValue)
        case "charValue": .some(number.int8Value)
        case "shortValue": .some(number.int16Value)
        case "intValue": .some(number.int32Value)
        case "integerValue", "longValue": .some(number.intValue)
        case "longLongValue": .some(number.int64Value)
        case "floatValue": .some(number.floatValue)
        case "doubleValue": .some(number.doubleValue)
        case "decimalValue": .some(number.decimalValue)
        case "stringValue": .some(number.stringValue)
        default: nil
        }
    }

    // MARK: Objects

    private static func value(_ key: String, of error: NSError) -> Any?? {
        switch key {
        case "domain": .some(error.domain)
        case "code": .some(error.code)
        case "userInfo": .some(error.userInfo)
        case "localizedDescription": .some(error.localizedDescription)
        case "localizedFailureReason": .some(error.localizedFailureReason)
        case "localizedRecoverySuggestion": .some(error.localizedRecoverySuggestion)
        default: nil
        }
    }

    private static func value(_ key: String, of notification: Notification) -> Any?? {
        switch key {
        case "name": .some(notification.name.rawValue)
        case "object": .some(notification.object)
        case "userInfo": .some(notification.userInfo)
        default: nil
        }
    }

    private static func value(_ key: String, of set: IndexSet) -> Any?? {
        switch key {
        case "count": .some(set.count)
        case "firstIndex": .some(set.first ?? NSNotFound)
        case "lastIndex": .some(set.last ?? NSNotFound)
        default: nil
        }
    }

    private static func value(_ key: String, of progress: Progress) -> Any?? {
        switch key {
        case "totalUnitCount": .some(progress.totalUnitCount)
        case "completedUnitCount": .some(progress.completedUnitCount)
        case "fractionCompleted": .some(progress.fractionCompleted)
        case "isCancelled", "cancelled": .some(progress.isCancelled)
        case "isPaused", "paused": .some(progress.isPaused)
        case "isFinished", "finished": .some(progress.isFinished)
        case "isIndeterminate", "indeterminate": .some(progress.isIndeterminate)
        default: nil
        }
    }

    private static func value(_ key: String, of bundle: Bundle) -> Any?? {
        switch key {
        case "bundlePath": .some(bundle.bundlePath)
        case "bundleURL": .some(bundle.bundleURL)
        case "bundleIdentifier": .some(bundle.bundleIdentifier)
        case "resourcePath": .some(bundle.resourcePath)
        case "resourceURL": .some(bundle.resourceURL)
        case "infoDictionary": .some(bundle.infoDictionary)
        default: nil
        }
    }
}
