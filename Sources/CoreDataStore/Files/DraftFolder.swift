package import Foundation

/// A folder beside a file for what is made there whole before it takes the place of the file. What a process
/// that dies has left of such is removed by the next to open the file.
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
    package static func prefix(beside url: URL) -> String {
        let file = url.resolvingSymlinksInPath()
        return file.deletingLastPathComponent().path + "/.\(file.lastPathComponent)."
    }

    /// Removes what processes that died have left.
    package static func remove(beside url: URL) { remove(named: prefix(beside: url)) }

    /// The same of what was made under some other name.
    ///
    /// - Parameter prefix: the path but for the unique end of the name.
    package static func remove(named prefix: String) {
        let slash = prefix.lastIndex(of: "/")!
        let folder = String(prefix[..<slash])
        let start = String(prefix[prefix.index(after: slash)...])
        for name in names(in: folder, startingWith: start)
        where UUID(uuidString: String(name.dropFirst(start.count))) != nil {
            Claim.abandoned(at: "\(folder)/\(name)")?.remove()
        }
    }

    /// Without making strings of the others, of which a folder may have thousands.
    private static func names(in folder: String, startingWith start: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        let length = start.utf8.count
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    if strncmp(name, start, length) == 0 { names.append(String(cString: name)) }
                }
            }
        }
        return names
    }
}
