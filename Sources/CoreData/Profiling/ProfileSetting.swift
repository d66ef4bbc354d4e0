import Foundation
import Synchronization

/// The profile that a program records because it was started with `-com.apple.CoreData.Profile` and a path, or
/// because it opened a store with the option `ProfileFileURLKey`.
enum ProfileSetting {
    private static let files = Mutex<[String: ProfileFile]>([:])

    /// Begins to record if the program's start, or the options of a store that it opens, ask for it.
    static func begin(_ options: [AnyHashable: Any]?) throws {
        _ = atStart
        let url =
            switch options?[ProfileFileURLKey] {
            case let url as URL: url
            case let path as String: URL(fileURLWithPath: path)
            default: nil as URL?
            }
        guard let url else { return }
        do {
            try record(to: url)
        } catch {
            throw CoreDataError.error(
                NSPersistentStoreOpenError,
                reason: "The profile \(url.path) of the option \(ProfileFileURLKey) cannot be written: "
                    + error.localizedDescription)
        }
    }

    /// Evaluated once, when the first store opens: settings are read at the start of a program.
    private static let atStart: Void = {
        guard let path = LaunchSetting.profile.text else { return }
        do {
            try record(to: URL(fileURLWithPath: path))
        } catch {
            FrameworkLog.error("The profile \(path) cannot be written: \(error.localizedDescription)")
        }
    }()

    private static func record(to url: URL) throws {
        try files.withLock { files in
            let path = url.standardizedFileURL.path
            guard files[path] == nil else { return }
            if files.isEmpty {
                atexit { ProfileSetting.files.withLock { $0.values.forEach { $0.close() } } }
            }
            files[path] = try ProfileFile(at: url)
        }
    }
}
