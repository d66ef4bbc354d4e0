import CoreDataTool
import Foundation

/// Lines to a file or to standard output, written by the quarter megabyte.
///
/// What cannot be written is an error, as `print` has none: a full disk must not look like success.
final class LineOutput {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private static let chunk = 1 << 18

    /// To standard output.
    init() {
        (descriptor, name) = (STDOUT_FILENO, "standard output")
    }

    /// To a file, whose content is replaced; it stays the file it is, be it a link or a device.
    ///
    /// - Parameter others: files that are read meanwhile, and must not be this one.
    init(_ path: String, besides others: [String] = []) throws {
        for other in others where FileIdentity(path) != nil && FileIdentity(path) == FileIdentity(other) {
            throw ToolError("\(path) is what is read: name another file to write to")
        }
        name = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw failure }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    func write(_ line: String) throws {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.chunk { try finish() }
    }

    /// Writes what is left.
    func finish() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private var failure: ToolError {
        ToolError("\(name) cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// Which file a path leads to, through links and whatever it is spelled like.
private struct FileIdentity: Equatable {
    let device: UInt64
    let node: UInt64

    /// Nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
