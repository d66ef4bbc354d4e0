import CoreDataTool
import Foundation

/// The lines of a file or of standard input, read on demand.
final class LineInput {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private static let chunk = 1 << 18

    /// Opens the input.
    ///
    /// - Parameter path: A file, or `-` for standard input.
    init(_ path: String) throws {
        if path == "-" {
            (descriptor, name) = (STDIN_FILENO, "standard input")
        } else {
            (descriptor, name) = (open(path, O_RDONLY | O_CLOEXEC), path)
        }
        if descriptor < 0 { throw failure }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Returns the next line, or nil after the last one. The last line need not end in a line break.
    func next() throws -> String? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return String(decoding: buffer[start..<end], as: UTF8.self)
            }
            buffer.removeSubrange(..<start)
            (start, searched) = (0, buffer.count)
            guard try readMore() else { break }
        }
        guard !buffer.isEmpty else { return nil }
        defer { start = buffer.count }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads the next bytes, and returns false at the end.
    private func readMore() throws -> Bool {
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        var result: Int
        repeat {
            result = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, Self.chunk) }
        } while result < 0 && errno == EINTR
        buffer.removeLast(Self.chunk - max(result, 0))
        if result < 0 { throw failure }
        return result > 0
    }

    private var failure: ToolError {
        ToolError("\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
}
