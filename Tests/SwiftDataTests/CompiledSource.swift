#if SwiftData
import Foundation

/// A source that uses models, as the installed compiler sees it: with this build's module and macros.
struct CompiledSource {
    /// What the compiler says, one line for each message.
    let messages: [String]
    /// What the macros make of it, in a line for each line that is not empty.
    let expansions: String
    /// What the messages offer to write instead, in their order.
    let remedies: [String]

    init(_ source: String) throws {
        let folder = URL.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(source.utf8).write(to: folder.appending(path: "source.swift"))
        let lines = try Self.compile(in: folder).split(separator: "\n").map(String.init)
        messages = lines.filter { $0.contains("error: ") || $0.contains("warning: ") }
        // Below a note the compiler shows the line, a mark, and the new text.
        remedies = lines.indices.dropLast(3).filter { lines[$0].contains(": note: ") }.map { index in
            let offer = lines[index].split(separator: ": ").last ?? ""
            return "\(offer): \(lines[index + 3].trimmingCharacters(in: .whitespaces))"
        }
        expansions = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// Returns the messages about a line, without their place.
    func messages(ofLine line: Int) -> [String] {
        messages.compactMap { message -> String? in
            guard message.hasPrefix("source.swift:\(line):") else { return nil }
            let text = message.split(separator: ":", maxSplits: 3)[3].dropFirst()
            return String(text).replacing(/\ \(from macro .*\)$/, with: "")
        }
    }

    private static func compile(in folder: URL) throws -> String {
        let build = Bundle.main.bundleURL.path
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CRuntime").standardizedFileURL.path
        let output = folder.appending(path: "output.txt")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-frontend", "-typecheck", "-parse-as-library", "-swift-version", "6"]
            + ["-module-name", "Client", "-I", "\(build)/Modules", "-I", sources]
            + ["-load-plugin-executable", "\(build)/SwiftDataMacros-tool#SwiftDataMacros"]
            + ["-diagnostic-style", "llvm", "-dump-macro-expansions", "source.swift"]
        process.currentDirectoryURL = folder
        // The compiler leaves expansions with errors in its temporary folder.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        let file = try FileHandle(forWritingTo: output)
        process.standardOutput = file
        process.standardError = file
        try process.run()
        process.waitUntilExit()
        return try String(contentsOf: output, encoding: .utf8)
    }
}
#endif
