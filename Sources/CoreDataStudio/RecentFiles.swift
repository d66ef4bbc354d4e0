import CoreDataJSON
import Foundation
import Synchronization

/// The files that the user opened last, in this studio and in former ones, the newest first.
///
/// A page opens one by its ID, so that it never names a file that the user did not. Addresses of stores in databases
/// are not kept: they may contain passwords.
final class RecentFiles: Sendable {
    struct Entry: Sendable {
        let id: String
        let url: URL
    }

    /// The number of files that are kept.
    private static let most = 20

    private let file: URL
    /// Two requests must not both read the list and write it.
    private let access = Mutex(())

    init(in folder: URL) {
        file = folder.appendingPathComponent("recent.json")
    }

    /// The files that are still there. A list that cannot be read is empty.
    var entries: [Entry] { access.withLock { _ in paths }.compactMap(Self.entry) }

    /// Puts files at the beginning of the list. It is kept as it was if it cannot be written.
    func note(_ urls: [URL]) {
        let new = urls.filter(\.isFileURL).map(\.standardizedFileURL.path)
        guard !new.isEmpty else { return }
        access.withLock { _ in
            let all = new + paths.filter { !new.contains($0) }
            let json = JSONValue.array(all.prefix(Self.most).map { .string($0) })
            try? StateFile.write(Data(json.line.utf8), to: file)
        }
    }

    private var paths: [String] {
        guard case .array(let paths)? = StateFile.json(in: file) else { return [] }
        return paths.compactMap(\.string)
    }

    private static func entry(_ path: String) -> Entry? {
        let url = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return Entry(id: StateFile.mark(of: url), url: url)
    }
}
