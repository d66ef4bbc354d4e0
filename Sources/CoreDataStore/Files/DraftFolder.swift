package import Foundation

/// A folder beside a file in which something is made whole before it takes the place of the file. One that a
/// process that died has left is removed by the next to open the file.
package final class DraftFolder {
    private let claim: Claim
    private let name: String

    package init(beside url: URL) throws(StoreError) {
        claim = try Claim(.folder, named: Leftovers.prefix(beside: url))
        name = url.lastPathComponent
    }

    deinit { claim.remove() }

    /// Where the draft lies, under the name of the file.
    package var url: URL { URL(fileURLWithPath: claim.path).appendingPathComponent(name) }
}

/// What lies beside a file while it is written anew: files and folders under the file's name with a dot
/// before and something unique behind it.
package enum Leftovers {
    /// Returns the path of what lies beside a file, but for the unique end of the name.
    package static func prefix(beside url: URL) -> String {
        let file = url.resolvingSymlinksInPath()
        return file.deletingLastPathComponent().path + "/.\(file.lastPathComponent)."
    }

    /// Removes what processes that died have left.
    package static func remove(beside url: URL) { remove(named: prefix(beside: url)) }

    /// Removes what processes that died have left under names that begin so.
    ///
    /// - Parameter prefix: the path but for the unique end of the name.
    package static func remove(named prefix: String) {
        let slash = prefix.lastIndex(of: "/")!
        let folder = String(prefix[..<slash])
        let start = String(prefix[prefix.index(after: slash)...])
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        for name in (try? FileSystem.names(in: descriptor, startingWith: start)) ?? []
        where UUID(uuidString: String(name.dropFirst(start.count))) != nil {
            Claim.abandoned(at: "\(folder)/\(name)")?.remove()
        }
    }
}
