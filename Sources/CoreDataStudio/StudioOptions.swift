package import Foundation

/// What the studio was started with.
package struct StudioOptions: Sendable {
    /// Model packages, stores' files and addresses of stores, and recorded profiles.
    package var files: [URL]
    /// The model of the stores, if it is not the one that they carry.
    package var model: URL?
    /// Whether objects of stores may be changed.
    package var mayEditStores = false
    /// Whether a store is copied beside itself before the first save.
    package var makesBackup = true
    /// Whether nothing may be changed, models neither.
    package var isReadOnly = false
    /// The folder of new models.
    package var root: URL
    /// The folder of unsaved edits and of the list of files that were opened last.
    package var stateFolder = StudioOptions.usualStateFolder
    /// The time between two looks at the files of models; nil for none.
    package var lookInterval: Duration? = .seconds(1)
    /// The time since some moment.
    package var now: @Sendable () -> Duration = { StudioOptions.start.duration(to: .now) }

    private static let start = SuspendingClock.now

    /// The folder that programs of the user keep their state in, by the rules of freedesktop.org.
    private static var usualStateFolder: URL {
        let given = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let home = FileManager.default.homeDirectoryForCurrentUser
        let folder = given.map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".local/state")
        return folder.appendingPathComponent("coredata-studio")
    }

    package init(files: [URL], root: URL) {
        self.files = files
        self.root = root
    }
}
