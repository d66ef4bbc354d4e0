import Foundation

extension URL {
    /// Where stores lie that are gone with their coordinator.
    static var nowhere: URL { URL(fileURLWithPath: "/dev/null") }

    /// Whether it is the place of such a store, with or without a name behind it.
    var isNowhere: Bool { path == Self.nowhere.path || path.hasPrefix(Self.nowhere.path + "/") }
}
