package import Foundation

/// The file access of the model formats. They access files in no other way.
package struct ModelFileSystem: Sendable {
    package init() {}

    package func read(_ url: URL) throws -> Data {
        do throws(PlainFile.Failure) {
            return try PlainFile.contents(at: url.path)
        } catch {
            throw ModelFileError(url.path, .unreadable(error.text))
        }
    }

    /// Writes the file completely or not at all. A file that already has these contents is left alone, so
    /// that builds do not repeat the steps that depend on it.
    package func write(_ data: Data, to url: URL) throws {
        if let present = try? Data(contentsOf: url), present == data { return }
        do {
            try data.write(to: url, options: .atomic)
        } catch {
            throw ModelFileError(url.path, .unwritable(Self.reason(error)))
        }
    }

    /// Replaces a file, also durably if the machine stops meanwhile, unless another program has changed it.
    ///
    /// - Parameters:
    ///   - url: The file; if it is a link, the file that it leads to is replaced.
    ///   - former: What the file must contain, unless it has the new content already; nil if there must be
    ///     none.
    package func replace(_ url: URL, with data: Data, expecting former: Data?) throws {
        guard try check(url, contains: former, or: data) else { return }
        let target = url.resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent()
        let new = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        defer { unlink(new.path) }
        do {
            try data.write(to: new)
        } catch {
            throw ModelFileError(url.path, .unwritable(Self.reason(error)))
        }
        var status = stat()
        if stat(target.path, &status) == 0 { chmod(new.path, status.st_mode & 0o777) }
        try synchronize(new)
        guard try check(url, contains: former, or: data) else { return }
        guard rename(new.path, target.path) == 0 else {
            throw ModelFileError(url.path, .unwritable(String(cString: strerror(errno))))
        }
        try synchronize(folder)
    }

    /// Removes a folder with all that is in it, so that it is there either wholly or not at all.
    package func removeFolder(_ url: URL) throws {
        let folder = url.deletingLastPathComponent()
        let aside = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        guard rename(url.path, aside.path) == 0 else {
            throw ModelFileError(url.path, .unwritable(String(cString: strerror(errno))))
        }
        try synchronize(folder)
        try remove(aside)
    }

    /// Returns whether a file contains what it had when it was read; false if it has the new content already.
    /// Throws if it contains something else.
    @discardableResult
    package func check(_ url: URL, contains former: Data?, or new: Data? = nil) throws -> Bool {
        let present = exists(url) ? try read(url) : nil
        if let new, present == new { return false }
        guard present == former else { throw ModelFileError(url.path, .overtaken) }
        return true
    }

    private func synchronize(_ url: URL) throws {
        let file = open(url.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw ModelFileError(url.path, .unwritable(String(cString: strerror(errno))))
        }
        defer { close(file) }
        // Some file systems cannot synchronize folders.
        guard fsync(file) == 0 || [EINVAL, EROFS, EBADF, ENOTSUP].contains(errno) else {
            throw ModelFileError(url.path, .unwritable(String(cString: strerror(errno))))
        }
    }

    package func createDirectory(at url: URL) throws {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw ModelFileError(url.path, .unwritable(Self.reason(error)))
        }
    }

    package func remove(_ url: URL) throws {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw ModelFileError(url.path, .unwritable(Self.reason(error)))
        }
    }

    /// Returns the files and folders directly in a folder, sorted by name.
    package func children(of directory: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                .map { directory.appendingPathComponent($0) }
        } catch {
            throw ModelFileError(directory.path, .unreadable(Self.reason(error)))
        }
    }

    package func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }

    package func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    private static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.underlying?.localizedDescription ?? error.localizedDescription
    }
}
