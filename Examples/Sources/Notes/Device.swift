import CoreData

/// The app of a device, in a process of its own.
final class Device {
    let name: String
    private let folder: URL
    private let server: URL
    private var program: Program
    private(set) var isAlive = true

    init(_ name: String, in folder: URL, server: URL) throws {
        self.name = name
        self.folder = folder
        self.server = server
        program = try Self.start(name, folder, server)
    }

    private static func start(_ name: String, _ folder: URL, _ server: URL) throws -> Program {
        try Program(
            CommandLine.arguments[0],
            ["app", folder.appendingPathComponent("\(name).sqlite").path, server.absoluteString, name],
            log: folder.appendingPathComponent("\(name).log"))
    }

    func kill() {
        program.end()
        isAlive = false
    }

    func restart() throws {
        program = try Self.start(name, folder, server)
        isAlive = true
    }

    /// Sends a line without waiting for the answer.
    func say(_ line: String) throws { try program.say(line) }

    /// Has the app do something, and returns its answer.
    @discardableResult
    func ask(_ line: String) throws -> [String] {
        try program.say(line)
        var answer: [String] = []
        while let line = program.nextLine() {
            if line == "ok" { return answer }
            if line.hasPrefix("failed: ") {
                throw DemonstrationError("\(name): \(line.dropFirst(8))")
            }
            answer.append(String(line.dropFirst(2)))
        }
        throw DemonstrationError("the app of the \(name) is gone: see \(name).log in \(folder.path)")
    }

    /// Has the app do something, and says so.
    func tell(_ line: String) throws {
        report("    \(name): \(line)")
        try ask(line)
    }
}

struct DemonstrationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
