import Foundation

/// A run of the tool and its result.
struct CommandRun {
    let status: Int32
    let output: String
    let errors: String

    /// Beside the program that runs the tests.
    static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("coredata")

    /// - Parameter target: A file for the output, instead of a temporary one.
    init(_ arguments: [String], input: String = "", writingTo target: String? = nil) throws {
        let process = Process()
        process.executableURL = Self.tool
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory
        let names = ["in", "out", "err"].map { folder.appendingPathComponent("coredata-\(UUID()).\($0)") }
        defer { for name in names { try? FileManager.default.removeItem(at: name) } }
        try Data(input.utf8).write(to: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = FileHandle(forWritingAtPath: target ?? names[1].path)
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = try String(contentsOf: names[1], encoding: .utf8)
        errors = try String(contentsOf: names[2], encoding: .utf8)
    }
}
