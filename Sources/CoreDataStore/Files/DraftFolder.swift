package import Foundation

/// A folder beside a file in which a replacement of the file is completed before it takes the file's place.
/// If the process dies, the next one to open the file removes the folder.
package final class DraftFolder: DraftPlace {
    private let claim: Claim
    private let name: String

    package init(beside url: URL) throws(StoreError) {
        claim = try Claim(.folder, named: Leftovers.prefix(beside: url))
        name = url.lastPathComponent
    }

    deinit { claim.remove() }

    /// The place of the draft, under the name of the file.
    package var url: URL { URL(fileURLWithPath: claim.path).appendingPathComponent(name) }
}

/// The files and folders beside a file while it is rewritten: they have the file's name with a dot before it
/// and a unique text behind it.
package enum Leftovers {
    /// Returns the common beginning of the paths of files beside a file: all but the unique end of their
    /// names.
    package static func prefix(beside url: URL) -> String {
        let file = url.resolvingSymlinksInPath()
        return file.deletingLastPathComponent().path + "/.\(file.lastPathComponent)."
    }

    /// Removes the files and folders that dead processes left beside a file.
    package static func remove(beside url: URL) { remove(named: prefix(beside: url)) }

    /// Removes the files and folders that dead processes left.
    ///
    /// - Parameter prefix: Their path without the unique end of the name.
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
