import Foundation

extension URL {
    /// The place of stores that are deleted with their coordinator.
    static var nowhere: URL { URL(fileURLWithPath: "/dev/null") }

    /// Whether the URL is `/dev/null`, which a name may follow.
    var isNowhere: Bool { path == Self.nowhere.path || path.hasPrefix(Self.nowhere.path + "/") }
}
