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
