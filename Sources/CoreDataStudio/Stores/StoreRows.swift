import CoreDataStore
import Foundation
import Synchronization

/// The rows of a store that stays open.
///
/// A database tells of commits by itself. A store that is read as a whole is read again when another program has
/// replaced its file.
final class StoreRows: Sendable {
    private struct State {
        var source: RowSource
        /// The file when it was read last.
        var stamp: FileStamp?
    }

    private let state: Mutex<State>
    /// The file that is read as a whole; nil for a database.
    private let file: URL?
    private let open: @Sendable () throws -> RowSource

    /// - Parameters:
    ///   - file: The file that is read as a whole; nil for a database.
    ///   - stamp: The file before it was opened, so that one that is replaced meanwhile is read once more.
    ///   - open: Opens the store again.
    init(
        _ source: RowSource, wholeFile file: URL?, stamp: FileStamp?,
        open: @escaping @Sendable () throws -> RowSource
    ) {
        (self.file, self.open) = (file, open)
        state = Mutex(State(source: source, stamp: stamp))
    }

    /// The rows as they were read last.
    var source: RowSource { state.withLock { $0.source } }

    var isWholeFile: Bool { file != nil }

    /// Whether another program has replaced the file since it was read.
    var isReplaced: Bool {
        guard let file else { return false }
        return FileStamp(path: file.path) != state.withLock { $0.stamp }
    }

    /// Reads the file again if it was replaced. Returns whether it was.
    @discardableResult
    func refresh() throws -> Bool {
        guard isReplaced else { return false }
        try reread()
        return true
    }

    /// Reads the file again; does nothing for a database.
    func reread() throws {
        guard let file else { return }
        let stamp = FileStamp(path: file.path)
        let source = try open()
        state.withLock { $0 = State(source: source, stamp: stamp) }
    }
}
