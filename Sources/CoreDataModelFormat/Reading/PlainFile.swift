package import Foundation

/// The access to files that another program may have made. It reads only plain files, since reading a pipe
/// could block, and a device may have no end.
package enum PlainFile {
    /// The reason why a file cannot be read or written: the system's error code and a sentence.
    package struct Failure: Error {
        package let code: Int32
        package let text: String

        package init(_ code: Int32, _ text: String? = nil) {
            self.code = code
            self.text = text ?? String(cString: strerror(code))
        }
    }

    /// Reads the file at a path, following links.
    ///
    /// - Parameter limit: The greatest number of bytes to read, from the beginning.
    package static func contents(at path: String, atMost limit: Int = .max) throws(Failure) -> Data {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure(errno) }
        defer { close(file) }
        return try contents(of: file, atMost: limit)
    }

    /// Reads an open file from its current position.
    ///
    /// - Parameter limit: The greatest number of bytes to read.
    package static func contents(of file: Int32, atMost limit: Int = .max) throws(Failure) -> Data {
        let size = min(Int(try status(of: file).st_size), limit)
        guard size > 0 else { return Data() }
        // A sparse file may claim to be larger than any memory.
        guard let memory = malloc(size) else { throw Failure(ENOMEM) }
        var count = 0
        while count < size {
            let read = Foundation.read(file, memory + count, size - count)
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else {
                let failure = Failure(errno)
                free(memory)
                throw failure
            }
            if read == 0 { break }
            count += read
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    /// Returns the status of an open file, and throws if it is not a plain file.
    package static func status(of file: Int32) throws(Failure) -> stat {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(errno) }
        guard isPlain(status) else {
            throw status.st_mode & S_IFMT == S_IFDIR
                ? Failure(EISDIR) : Failure(EINVAL, "It is no plain file")
        }
        return status
    }

    package static func isPlain(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }
}
