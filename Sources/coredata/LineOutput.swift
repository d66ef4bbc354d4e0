import CoreDataTool
import Foundation

/// Lines to a file or to standard output, written by the quarter megabyte.
final class LineOutput {
    private let file: FileHandle
    private var buffer = Data()
    private static let chunk = 1 << 18

    /// - Parameter path: nil for standard output.
    init(_ path: String?) throws {
        guard let path else {
            file = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw ToolError("\(path) cannot be written") }
        self.file = file
    }

    func write(_ line: String) throws {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.chunk { try flush() }
    }

    func finish() throws {
        try flush()
        if file !== FileHandle.standardOutput { try file.close() }
    }

    private func flush() throws {
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
