import CoreDataModelFormat
package import CoreDataStore
package import Foundation
import Synchronization

/// A file that is read and written as a whole: a reader finds the old content or the new one, whenever the
/// writer dies. Of several writers each is told if another has come before it.
package final class WholeFile: Sendable {
    private struct Place {
        var url: URL
        /// As it was last read or written here; nil if there was nothing.
        var stamp: FileStamp?
    }

    private let place: Mutex<Place>
    /// Seconds to wait for others who put something in its place.
    private let timeout: Double
    package static let defaultTimeout = 240.0

    package init(_ url: URL, timeout: Double = defaultTimeout) {
        place = Mutex(Place(url: url, stamp: nil))
        self.timeout = timeout
    }

    package var url: URL { place.withLock { $0.url } }

    /// Has the next write go elsewhere, whatever is there.
    package func move(to url: URL) {
        place.withLock { $0 = Place(url: url, stamp: FileStamp(path: url.path)) }
    }

    // MARK: Reading

    /// The content; nil if there is no file, or an empty one.
    package func read() throws(StoreError) -> Data? {
        try place.withLock { place throws(StoreError) in
            while true {
                let stamp = FileStamp(path: place.url.path)
                let content = try Self.content(of: place.url)
                // Somebody may have put another file in its place just then.
                guard FileStamp(path: place.url.path) == stamp else { continue }
                place.stamp = stamp
                return content?.isEmpty == true ? nil : content
            }
        }
    }

    /// Takes the file as it is for what the next write may replace.
    package func note() {
        place.withLock { $0.stamp = FileStamp(path: $0.url.path) }
    }

    /// The content of a file; nil if there is none, or a device.
    ///
    /// - Parameter limit: the most bytes to read, from the beginning.
    package static func content(of url: URL, atMost limit: Int = .max) throws(StoreError) -> Data? {
        guard !isDevice(url) else { return nil }
        let file = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file < 0, [ENOENT, ENOTDIR].contains(errno) { return nil }
        do throws(PlainFile.Failure) {
            guard file >= 0 else { throw PlainFile.Failure(errno) }
            // It may be a database that this process has open.
            defer { OpenDatabase.close(file) }
            return try PlainFile.contents(of: file, atMost: limit)
        } catch {
            throw StoreError(.notReadable, error.text, path: url.path)
        }
    }

    // MARK: Writing

    /// Replaces the content. Throws, and leaves the file alone, if somebody else has changed it since.
    package func write(_ content: Data) throws(StoreError) {
        try place.withLock { place throws(StoreError) in
            if Self.isDevice(place.url) { return try Self.write(content, toDevice: place.url) }
            _ = try Self.writing(content, for: place.url) { new throws(StoreError) in
                try Self.exchange(&place, for: new, timeout, orMissing: true)
                return true
            }
        }
    }

    /// Puts a file that is finished, and has its place beside this one, in its place. Throws, and leaves both
    /// alone, if somebody else has changed this one since.
    package func take(_ file: URL) throws(StoreError) {
        try place.withLock { place throws(StoreError) in
            try FileSystem.synchronize(file: file.path)
            try Self.exchange(&place, for: file.path, timeout, orMissing: false)
        }
    }

    /// Replaces what is there, if a condition is met.
    ///
    /// - Parameter condition: is asked when nobody else can put anything in its place.
    /// - Returns: Whether it was met.
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

    /// Puts a finished file in the place of what is there, if a condition is met.
    package static func replace(
        _ url: URL, withFile file: URL, timeout: Double = defaultTimeout, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        try FileSystem.synchronize(file: file.path)
        return try FileLock.put(file.path, at: path(url), timeout: timeout, if: condition)
    }

    /// Removes what is there, if a condition is met.
    package static func remove(
        _ url: URL, timeout: Double = defaultTimeout, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        if isDevice(url) { return true }
        return try FileLock.remove(path(url), timeout: timeout, if: condition)
    }

    /// A link stays, and what it leads to is replaced.
    private static func path(_ url: URL) -> String { url.resolvingSymlinksInPath().path }

    /// Writes beside the file, makes sure of it, and has the body put it in its place.
    ///
    /// - Returns: What the body says: whether it has.
    private static func writing(
        _ content: Data, for url: URL, _ body: (String) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        // No one may read it who may not read the file.
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
        _ place: inout Place, for new: String, _ timeout: Double, orMissing: Bool
    ) throws(StoreError) {
        let (url, stamp) = (place.url, place.stamp)
        let isPut: Bool
        do throws(StoreError) {
            isPut = try FileLock.put(new, at: path(url), timeout: timeout) {
                $0 == stamp || orMissing && $0 == nil
            }
        } catch {
            if access(new, F_OK) != 0 { place.stamp = FileStamp(path: url.path) }
            throw error
        }
        guard isPut else { throw overtaken(url) }
        place.stamp = FileStamp(path: url.path)
    }

    // MARK: Devices

    /// A device stays: `/dev/null` is a place for a store that nobody keeps.
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
            .overtaken, "the file was changed by somebody else since it was read: open the store again",
            path: url.path)
    }
}
