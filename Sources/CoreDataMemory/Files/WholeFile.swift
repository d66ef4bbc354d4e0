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

    /// The content of a file that nobody has open; nil if there is none, or a device.
    package static func content(of url: URL) throws(StoreError) -> Data? {
        guard FileManager.default.fileExists(atPath: url.path), !isDevice(url) else { return nil }
        do throws(PlainFile.Failure) {
            return try PlainFile.contents(at: url.path)
        } catch {
            if error.code == ENOENT { return nil }
            throw StoreError(.notReadable, error.text, path: url.path)
        }
    }

    // MARK: Writing

    /// Replaces the content. Throws, and leaves the file alone, if somebody else has changed it since.
    package func write(_ content: Data) throws(StoreError) {
        try place.withLock { place throws(StoreError) in
            if Self.isDevice(place.url) { return try Self.write(content, toDevice: place.url) }
            try Self.writing(content, for: place.url) { new throws(StoreError) in
                try Self.exchange(&place, for: new, timeout)
            }
        }
    }

    /// Puts a file that is finished, and has its place beside this one, in its place. Throws, and leaves both
    /// alone, if somebody else has changed this one since.
    package func take(_ file: URL) throws(StoreError) {
        try place.withLock { place throws(StoreError) in
            try FileSystem.synchronize(file: file.path)
            try Self.exchange(&place, for: file.path, timeout)
        }
    }

    /// Replaces whatever is there.
    package static func replace(
        _ url: URL, with content: Data, timeout: Double = defaultTimeout
    ) throws(StoreError) {
        if isDevice(url) { return try write(content, toDevice: url) }
        try writing(content, for: url) { new throws(StoreError) in
            _ = try FileLock.put(new, at: path(url), timeout: timeout)
        }
    }

    /// Puts a finished file in the place of whatever is there.
    package static func replace(
        _ url: URL, withFile file: URL, timeout: Double = defaultTimeout
    ) throws(StoreError) {
        try FileSystem.synchronize(file: file.path)
        _ = try FileLock.put(file.path, at: path(url), timeout: timeout)
    }

    package static func remove(_ url: URL, timeout: Double = defaultTimeout) throws(StoreError) {
        if !isDevice(url) { try FileLock.remove(path(url), timeout: timeout) }
    }

    /// A link stays, and what it leads to is replaced.
    private static func path(_ url: URL) -> String { url.resolvingSymlinksInPath().path }

    /// Writes beside the file and makes sure of it.
    private static func writing(
        _ content: Data, for url: URL, _ body: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        // No one may read it who may not read the file.
        var state = stat()
        let permissions = stat(url.path, &state) == 0 ? UInt16(state.st_mode & 0o777) : 0o666
        let new = try Claim(.file(permissions: permissions), named: Leftovers.prefix(beside: url))
        do throws(StoreError) {
            try new.append(content)
            try new.synchronize()
            try body(new.path)
        } catch {
            new.remove()
            throw error
        }
    }

    private static func exchange(
        _ place: inout Place, for new: String, _ timeout: Double
    ) throws(StoreError) {
        let (url, stamp) = (place.url, place.stamp)
        let isPut: Bool
        do throws(StoreError) {
            isPut = try FileLock.put(new, at: path(url), timeout: timeout) { $0 == nil || $0 == stamp }
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
