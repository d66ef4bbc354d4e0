import CoreDataTool
import Foundation

/// The lines of a file or of standard input, read as they are asked for.
struct LineInput: Sequence {
    private let file: FileHandle

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws {
        if path == "-" {
            file = .standardInput
        } else if let file = FileHandle(forReadingAtPath: path) {
            self.file = file
        } else {
            throw ToolError("\(path) cannot be read")
        }
    }

    func makeIterator() -> Iterator { Iterator(file) }

    struct Iterator: IteratorProtocol {
        private let file: FileHandle
        private var buffer: [UInt8] = []
        private var start = 0
        private var isAtEnd = false
        private static let chunk = 1 << 18

        init(_ file: FileHandle) {
            self.file = file
        }

        mutating func next() -> String? {
            var searched = start
            while true {
                if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { start = end + 1 }
                    return String(decoding: buffer[start..<end], as: UTF8.self)
                }
                if isAtEnd { break }
                buffer.removeSubrange(..<start)
                (start, searched) = (0, buffer.count)
                let data = file.readData(ofLength: Self.chunk)
                if data.isEmpty { isAtEnd = true } else { buffer += data }
            }
            guard start < buffer.count else { return nil }
            defer { start = buffer.count }
            return String(decoding: buffer[start...], as: UTF8.self)
        }
    }
}
