import Foundation

extension URL {
    /// The place of stores that are deleted with their coordinator.
    static var nowhere: URL { URL(fileURLWithPath: "/dev/null") }

    /// Whether the URL is `/dev/null`, with or without a name behind it.
    var isNowhere: Bool { path == Self.nowhere.path || path.hasPrefix(Self.nowhere.path + "/") }
}
