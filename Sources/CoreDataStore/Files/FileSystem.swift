import Foundation

/// What makes changes of files outlast the machine.
package enum FileSystem {
    /// Makes sure of what was made, renamed and removed in a folder. Not every file system has a way.
    package static func synchronize(folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) != 0, ![EINVAL, EROFS, EBADF, ENOTSUP].contains(errno) else { return }
        throw StoreError(system: errno, "the folder cannot be written", path: folder)
    }

    package static func synchronize(folderOf file: String) throws(StoreError) {
        try synchronize(folder: URL(fileURLWithPath: file).deletingLastPathComponent().path)
    }

    /// Makes sure of a file's content.
    package static func synchronize(file: String) throws(StoreError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(system: errno, "the file cannot be read", path: file) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(system: errno, "the file cannot be written", path: file)
        }
    }
}
