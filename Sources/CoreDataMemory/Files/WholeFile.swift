import CoreDataModelFormat
package import CoreDataStore
package import Foundation
import Synchronization

/// A file that is read and written as a whole. A reader finds either the old content or the new one, even if
/// the writer dies. A writer gets an error if another one has replaced the file since it was read.
package final class WholeFile: Sendable {
    private struct State {
        var url: URL
        /// The file as it was last read or written by this object; nil if there was none.
        var stamp: FileStamp?
    }

    private let state: Mutex<State>
    /// Seconds to wait for other writers that are replacing the file.
    private let timeout: Double
    package static let defaultTimeout = 240.0

    package init(_ url: URL, timeout: Double = defaultTimeout) {
        state = Mutex(State(url: url, stamp: nil))
        self.timeout = timeout
    }

    package var url: URL { state.withLock { $0.url } }

    /// Makes the next write go to another URL, replacing any file there.
    package func move(to url: URL) {
        state.withLock { $0 = State(url: url, stamp: FileStamp(path: url.path)) }
    }

    // MARK: Reading

    /// Returns the content; nil if there is no file, or an empty one.
    package func read() throws(StoreError) -> Data? {
        try state.withLock { state throws(StoreError) in
            while true {
                let stamp = FileStamp(path: state.url.path)
                let content = try Self.content(of: state.url)
                // The file may have been replaced while it was read.
                guard FileStamp(path: state.url.path) == stamp else { continue }
                state.stamp = stamp
                return content?.isEmpty == true ? nil : content
            }
        }
    }

    /// Notes the present file as the one that the next write may replace.
    package func note() {
        state.withLock { $0.stamp = FileStamp(path: $0.url.path) }
    }

    /// Returns the content of a file; nil if there is no file, or a device.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - limit: The greatest number of bytes to read, from the beginning.
    package static func content(of url: URL, atMost limit: Int = .max) throws(StoreError) -> Data? {
        guard !isDevice(url) else { return nil }
        let file = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file < 0, [ENOENT, ENOTDIR].contains(errno) { return nil }
        do throws(PlainFile.Failure) {
            guard file >= 0 else { throw PlainFile.Failure(errno) }
            // The file may be a database that this process has open.
            defer { OpenDatabase.close(file) }
            return try PlainFile.contents(of: file, atMost: limit)
        } catch {
            throw StoreError(.notReadable, error.text, path: url.path)
        }
    }

    // MARK: Writing

    /// Replaces the content. Throws, and leaves the file alone, if another process has changed it since it
    /// was read.
    package func write(_ content: Data) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            if Self.isDevice(state.url) { return try Self.write(content, toDevice: state.url) }
            _ = try Self.writing(content, for: state.url) { new throws(StoreError) in
                try Self.exchange(&state, for: new, timeout, orMissing: true)
                return true
            }
        }
    }

    /// Replaces the file by a finished one in the same folder. Throws, and leaves both alone, if another
    /// process has changed the file since it was read.
    package func take(_ file: URL) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            try FileSystem.synchronize(file: file.path)
            try Self.exchange(&state, for: file.path, timeout, orMissing: false)
        }
    }

    /// Writes a file, replacing any file there, if a condition is met.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - content: The new content.
    ///   - timeout: Seconds to wait for the lock at most.
    ///   - condition: Returns whether to go on, given the stamp of the present file, which is locked
    ///     meanwhile.
    /// - Returns: Whether the condition was met.
    package static func replace(
        _ url: URL, with content: Data, timeout: Double = defaultTimeout, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        if isDevice(url) {
            try write(content, toDevice: url)
            return true
        }
        return try writing(content, for: url) { new throws(StoreError) in
            try FileLock.put(new, at: path(url), timeout: timeout, if: condition)
        }
    }

    /// Moves a finished file to a URL, replacing any file there, if a condition is met. Returns whether the
    /// condition was met.
    package static func replace(
        _ url: URL, withFile file: URL, timeout: Double = defaultTimeout, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        try FileSystem.synchronize(file: file.path)
        return try FileLock.put(file.path, at: path(url), timeout: timeout, if: condition)
    }

    /// Removes a file if a condition is met. Returns whether the condition was met, or there is no file.
    package static func remove(
        _ url: URL, timeout: Double = defaultTimeout, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        if isDevice(url) { return true }
        return try FileLock.remove(path(url), timeout: timeout, if: condition)
    }

    /// Returns the path to replace. If the URL is a link, this is the file that it leads to.
    private static func path(_ url: URL) -> String { url.resolvingSymlinksInPath().path }

    /// Writes a synchronized file beside a file, and calls `body` with its path to move it into place.
    ///
    /// - Returns: The answer of `body`: whether it moved the file.
    private static func writing(
        _ content: Data, for url: URL, _ body: (String) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        // The new file must not be readable for users who may not read the old one.
        var state = stat()
        let permissions = stat(url.path, &state) == 0 ? UInt16(state.st_mode & 0o777) : 0o666
        let new = try Claim(.file(permissions: permissions), named: Leftovers.prefix(beside: url))
        do throws(StoreError) {
            try new.append(content)
            try new.synchronize()
            let isPut = try body(new.path)
            if !isPut { new.remove() }
            return isPut
        } catch {
            new.remove()
            throw error
        }
    }

    /// - Parameter orMissing: Whether the file may have been removed since it was read.
    private static func exchange(
        _ state: inout State, for new: String, _ timeout: Double, orMissing: Bool
    ) throws(StoreError) {
        let (url, stamp) = (state.url, state.stamp)
        let isPut: Bool
        do throws(StoreError) {
            isPut = try FileLock.put(new, at: path(url), timeout: timeout) {
                $0 == stamp || orMissing && $0 == nil
            }
        } catch {
            if access(new, F_OK) != 0 { state.stamp = FileStamp(path: url.path) }
            throw error
        }
        guard isPut else { throw overtaken(url) }
        state.stamp = FileStamp(path: url.path)
    }

    // MARK: Devices

    /// Writes to a device without replacing it: `/dev/null` is a place for a store whose content is not kept.
    private static func write(_ content: Data, toDevice url: URL) throws(StoreError) {
        let device = open(url.path, O_WRONLY | O_CLOEXEC)
        guard device >= 0 else {
            throw StoreError(system: errno, "the device cannot be opened", path: url.path)
        }
        defer { close(device) }
        let failure = content.withUnsafeBytes { FileSystem.write($0, to: device) }
        if let failure { throw StoreError(failure, "the device cannot be written", path: url.path) }
    }

    private static func isDevice(_ url: URL) -> Bool {
        var state = stat()
        return stat(url.path, &state) == 0 && state.st_mode & S_IFMT == S_IFCHR
    }

    // MARK: Errors

    private static func overtaken(_ url: URL) -> StoreError {
        StoreError(
            .overtaken, "another process or coordinator has changed the file: open the store again",
            path: url.path)
    }
}
