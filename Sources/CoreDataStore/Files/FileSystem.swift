package import CoreDataModelFormat
import Foundation

/// System calls for files and folders, given as descriptors or as paths.
package enum FileSystem {
    /// Writes bytes at the present position of an open file.
    ///
    /// - Returns: The failure; nil if all bytes were written.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) -> PlainFile.Failure? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno != EINTR { return PlainFile.Failure(errno) }
            if count > 0 { rest = rest.dropFirst(count) }
        }
        return nil
    }

    /// Opens a new file that has no name in its folder: the system removes it once nothing holds it open, also
    /// when the program is killed.
    package static func openUnnamed(in folder: String) throws(PlainFile.Failure) -> Int32 {
        var name = Array("\(folder)/CoreData-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw PlainFile.Failure(errno) }
        unlink(name)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// Makes sure that the content of an open file survives a crash of the machine.
    package static func synchronize(file: Int32) throws(PlainFile.Failure) {
        guard fsync(file) == 0 else { throw PlainFile.Failure(errno) }
    }

    /// Makes sure that new, renamed and removed entries of an open folder survive a crash of the machine.
    /// Does nothing on file systems that cannot do it.
    package static func synchronize(folder: Int32) throws(PlainFile.Failure) {
        guard fsync(folder) != 0, ![EINVAL, EROFS, EBADF, ENOTSUP].contains(errno) else { return }
        throw PlainFile.Failure(errno)
    }

    /// Returns the names in an open folder that have a prefix, and closes the folder. Makes no strings of
    /// other names, of which there may be thousands.
    package static func names(
        in folder: Int32, startingWith start: String = ""
    ) throws(PlainFile.Failure) -> [String] {
        guard let listing = fdopendir(folder) else {
            let failure = PlainFile.Failure(errno)
            close(folder)
            throw failure
        }
        defer { closedir(listing) }
        let length = start.utf8.count
        var names: [String] = []
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
                    if strncmp(name, start, length) == 0 { names.append(String(cString: name)) }
                }
            }
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    // MARK: By path

    /// Returns whether the disk has room for one more page beside a file, which it tests by writing one.
    package static func hasRoom(beside file: String) -> Bool {
        let path = Leftovers.prefix(beside: URL(fileURLWithPath: file)) + UUID().uuidString
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return ![ENOSPC, EDQUOT].contains(errno) }
        defer {
            unlink(path)
            _ = close(descriptor)
        }
        let failure = [UInt8](repeating: 0, count: 4096).withUnsafeBytes { write($0, to: descriptor) }
        if failure == nil, fsync(descriptor) == 0 { return true }
        return ![ENOSPC, EDQUOT].contains(failure?.code ?? errno)
    }

    package static func synchronize(folder path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        do throws(PlainFile.Failure) {
            try synchronize(folder: descriptor)
        } catch {
            throw StoreError(error, "the folder cannot be written", path: path)
        }
    }

    package static func synchronize(folderOf file: String) throws(StoreError) {
        try synchronize(folder: URL(fileURLWithPath: file).deletingLastPathComponent().path)
    }

    package static func synchronize(file path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(system: errno, "the file cannot be read", path: path) }
        defer { _ = close(descriptor) }
        do throws(PlainFile.Failure) {
            try synchronize(file: descriptor)
        } catch {
            throw StoreError(error, "the file cannot be written", path: path)
        }
    }
}
