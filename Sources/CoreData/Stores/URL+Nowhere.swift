import Foundation

extension URL {
    /// Where stores lie that are gone with their coordinator.
    static var nowhere: URL { URL(fileURLWithPath: "/dev/null") }

    var isNowhere: Bool { path == Self.nowhere.path }
}
