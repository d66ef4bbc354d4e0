package import CoreDataStore
package import Foundation
import Synchronization

/// A file that is read and written as a whole: a reader finds the old content or the new one, whenever the writer dies.
package final class WholeFile: Sendable {
    /// What tells a state of the file from another.
    package struct Stamp: Equatable, Sendable {
        fileprivate let number: UInt64
        fileprivate let size: UInt64
        fileprivate let changed: Date
    }

    private struct Place {
        var url: URL
        /// As it was last read or written here; nil if it was not there.
        var stamp: Stamp?
    }

    private let place: Mutex<Place>

    package init(_ url: URL) {
        place = Mutex(Place(url: url, stamp: nil))
    }

    package var url: URL { place.withLock { $0.url } }

    /// Has the next write go elsewhere, whatever is there.
    package func move(to url: URL) {
        place.withLock { $0 = Place(url: url, stamp: Self.stamp(of: url)) }
    }

    /// The content; nil if there is no file, or an empty one.
    package func read() throws(StoreError) -> Data? {
        try place.withLock { place throws(StoreError) in
            place.stamp = Self.stamp(of: place.url)
            let content = try Self.content(of: place.url)
            return content?.isEmpty == true ? nil : content
        }
    }

    /// The content of a file that nobody has open; nil if there is none, or a device.
    package static func content(of url: URL) throws(StoreError) -> Data? {
        guard FileManager.default.fileExists(atPath: url.path), !isDevice(url) else { return nil }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw failure(.notReadable, error, url)
        }
    }

    /// Replaces the content. Throws, and leaves the file alone, if somebody else has changed it since.
    package func write(_ content: Data) throws(StoreError) {
        try place.withLock { place throws(StoreError) in
            let stamp = Self.stamp(of: place.url)
            guard stamp == place.stamp || stamp == nil else {
                throw Self.overtaken(place.url)
            }
            try Self.replace(place.url, with: content)
            place.stamp = Self.stamp(of: place.url)
        }
    }

    /// Writes beside the file, makes sure of it, and takes its place.
    package static func replace(_ url: URL, with content: Data) throws(StoreError) {
        let manager = FileManager.default
        let target = url.resolvingSymlinksInPath()
        if isDevice(target) { return try write(content, toDevice: target) }
        let new = target.deletingLastPathComponent().appendingPathComponent(
            ".\(target.lastPathComponent).\(UUID().uuidString)")
        do {
            let mode = try? manager.attributesOfItem(atPath: target.path)[.posixPermissions]
            guard
                manager.createFile(
                    atPath: new.path, contents: nil, attributes: mode.map { [.posixPermissions: $0] })
            else {
                let hasFolder = manager.fileExists(atPath: new.deletingLastPathComponent().path)
                throw CocoaError(hasFolder ? .fileWriteNoPermission : .fileNoSuchFile)
            }
            let file = try FileHandle(forWritingTo: new)
            defer { try? file.close() }
            try file.write(contentsOf: content)
            try file.synchronize()
            guard rename(new.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? manager.removeItem(at: new)
            throw failure(.cannotCreate, error, url)
        }
    }

    /// A device stays: `/dev/null` is a place for a store that nobody keeps.
    private static func write(_ content: Data, toDevice url: URL) throws(StoreError) {
        do {
            let device = try FileHandle(forWritingTo: url)
            defer { try? device.close() }
            try device.write(contentsOf: content)
        } catch {
            throw failure(.cannotCreate, error, url)
        }
    }

    private static func isDevice(_ url: URL) -> Bool {
        attributes(of: url).map(isDevice) ?? false
    }

    private static func isDevice(_ attributes: [FileAttributeKey: Any]) -> Bool {
        attributes[.type] as? FileAttributeType == .typeCharacterSpecial
    }

    private static func attributes(of url: URL) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    }

    /// Nil if there is no file. Devices have none: what others do with them says nothing.
    package static func stamp(of url: URL) -> Stamp? {
        guard let attributes = attributes(of: url), !isDevice(attributes) else { return nil }
        return Stamp(
            number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
            size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            changed: attributes[.modificationDate] as? Date ?? .distantPast)
    }

    package static func overtaken(_ url: URL) -> StoreError {
        StoreError(
            .overtaken, "the file was changed by somebody else since it was read: open the store again",
            path: url.path)
    }

    private static func failure(_ kind: StoreError.Kind, _ error: any Error, _ url: URL) -> StoreError {
        var kind = kind
        switch (error as NSError).code {
        case CocoaError.Code.fileWriteOutOfSpace.rawValue: kind = .diskFull
        case CocoaError.Code.fileWriteNoPermission.rawValue: kind = .readOnly
        case CocoaError.Code.fileReadNoPermission.rawValue: kind = .notReadable
        default: break
        }
        return StoreError(kind, "\((error as NSError).localizedDescription)", path: url.path)
    }
}
