package import Foundation

/// Files that others may have made: nothing but a plain file is read. A pipe would be waited for, and a device
/// may have no end.
package enum PlainFile {
    /// Why a file cannot be read or written: the system's code for it, and a sentence.
    package struct Failure: Error {
        package let code: Int32
        package let text: String

        package init(_ code: Int32, _ text: String? = nil) {
            self.code = code
            self.text = text ?? String(cString: strerror(code))
        }
    }

    /// Reads a file, or what a link leads to, or the beginning of it.
    package static func contents(at path: String, atMost limit: Int = .max) throws(Failure) -> Data {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure(errno) }
        defer { close(file) }
        return try contents(of: file, atMost: limit)
    }

    /// Reads an open file, or the beginning of it.
    package static func contents(of file: Int32, atMost limit: Int = .max) throws(Failure) -> Data {
        let size = min(Int(try status(of: file).st_size), limit)
        guard size > 0 else { return Data() }
        // A file with holes may say that it is larger than any memory.
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

    /// Returns what the system knows of an open file, and throws if it is no plain one.
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
