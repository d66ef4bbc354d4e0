import CoreDataTool
import Foundation

/// An output of lines to a file or to standard output, written in pieces of a quarter of a megabyte.
///
/// Unlike `print` it reports write errors: a full disk must not look like success.
final class LineOutput {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private static let chunk = 1 << 18

    /// Makes an output to standard output.
    init() {
        (descriptor, name) = (STDOUT_FILENO, "standard output")
    }

    /// Makes an output to a file, whose content is replaced; a link stays a link, and a device a device.
    ///
    /// - Parameter others: Files that are read meanwhile, which the output must not overwrite.
    init(_ path: String, besides others: [String] = []) throws {
        for other in others where FileIdentity(path) != nil && FileIdentity(path) == FileIdentity(other) {
            throw ToolError("\(path) is the input: name another file to write to")
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

    /// Writes the lines that are still in memory.
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

/// The identity of the file that a path leads to, through links and in any spelling.
private struct FileIdentity: Equatable {
    let device: UInt64
    let node: UInt64

    /// Makes the identity; nil if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
