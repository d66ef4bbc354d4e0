#if Studio
#if DEBUG
package import Foundation
#endif

/// Where the files of the page come from.
package enum AssetSource: Sendable {
    /// Those that were compiled in.
    case compiled
    #if DEBUG
    /// A folder, read anew for each request, for work on the page.
    case folder(URL)
    #endif

    private static let compiledAssets: [String: Asset] = CompiledAssets.files.reduce(into: [:]) {
        assets, file in
        let bytes = Array(UnsafeBufferPointer(start: file.text.utf8Start, count: file.text.utf8CodeUnitCount))
        assets[file.path] = Asset(named: file.path, bytes: bytes)
    }

    /// Returns the file at a path; the page itself at the path without parts.
    func asset(at path: [String]) -> Asset? {
        let path = path.isEmpty ? ["index.html"] : path
        guard path.allSatisfy({ !$0.contains("/") }) else { return nil }
        switch self {
        case .compiled: return Self.compiledAssets[path.joined(separator: "/")]
        #if DEBUG
        case .folder(let folder):
            let file = path.reduce(folder) { $0.appendingPathComponent($1) }
            guard let data = try? Data(contentsOf: file) else { return nil }
            return Asset(named: path.last!, bytes: Array(data))
        #endif
        }
    }
}
#endif
