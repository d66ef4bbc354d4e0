import Foundation

/// The installed compiler, asked which symbols it leaves undefined.
///
/// Declarations are compiled against a stand-in for the framework, so that the suite needs no build of it.
struct CompilerProbe {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static let standIn = """
        @_exported import Foundation
        open class NSManagedObject: NSObject {}
        public final class NSManagedObjectID: NSObject {}
        """

    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try emitModule("CoreData", Self.standIn)
    }

    func remove() {
        try? FileManager.default.removeItem(at: directory)
    }

    func emitModule(_ name: String, _ source: String) throws {
        try write(source, "\(name).swift")
        try run(["-emit-module", "-module-name", name, "-parse-as-library", "-I", ".", "\(name).swift"])
    }

    /// Returns the symbols that a module's files use without defining them: members of its types and
    /// extensions.
    func undefinedSymbols(_ files: [String: String], module: String) throws -> Set<String> {
        for (name, text) in files { try write(text, name) }
        let names = files.keys.sorted()
        let output = try run(
            ["-emit-ir", "-Onone", "-wmo", "-parse-as-library", "-module-name", module, "-I", "."] + names)
        let prefix = "$s\(module.utf8.count)\(module)"
        var symbols: Set<String> = []
        for line in output.split(separator: "\n") where line.hasPrefix("declare ") {
            guard let start = line.firstIndex(of: "@") else { continue }
            let name = line[line.index(after: start)...].drop { $0 == "\"" }.prefix {
                $0 != "\"" && $0 != "("
            }
            if name.hasPrefix(prefix) || name.contains("\(module)E") { symbols.insert(String(name)) }
        }
        return symbols
    }

    private func write(_ text: String, _ name: String) throws {
        try text.write(to: directory.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.currentDirectoryURL = directory
        let output = directory.appendingPathComponent("output.txt")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let errors = directory.appendingPathComponent("errors.txt")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: try String(contentsOf: errors, encoding: .utf8))
        }
        return try String(contentsOf: output, encoding: .utf8)
    }
}
