import CoreDataTool
import Foundation
import Testing

@Suite("The command line")
struct CommandTests {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Beside the program that runs the tests.
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("coredata")

    private func run(_ arguments: String..., input: String = "") throws -> Outcome {
        let process = Process()
        process.executableURL = Self.tool
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory
        let names = ["in", "out", "err"].map { folder.appendingPathComponent("coredata-\(UUID()).\($0)") }
        defer { for name in names { try? FileManager.default.removeItem(at: name) } }
        try Data(input.utf8).write(to: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: names[1], encoding: .utf8),
            errors: try String(contentsOf: names[2], encoding: .utf8))
    }

    @Test("What is well ends with 0 and says nothing beside its output")
    func success() throws {
        let library = try LibraryStore()
        let check = try run("check", library.url.path)
        #expect(check.status == 0)
        #expect(check.output == "no problem found\n")
        #expect(check.errors == "")
        let count = try run("fetch", library.url.path, "Book", "--where", "pages > 0", "--count")
        #expect(count.output == "2\n")
    }

    @Test(
        "What is found ends with 1, what fails with 2 and a line on standard error, what is mistyped with 64")
    func failures() throws {
        let library = try LibraryStore()
        try library.damage("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        let check = try run("check", library.url.path)
        #expect(check.status == 1)
        #expect(check.output.contains("Book counts keys from 0, and 3 is in use"))

        let missing = try run("inspect", "/nowhere/at/all.sqlite")
        #expect(missing.status == 2)
        #expect(missing.output == "")
        #expect(missing.errors == "coredata: /nowhere/at/all.sqlite: there is no such file\n")

        #expect(try run("fetch", library.url.path, "Buch").status == 2)
        #expect(try run("fetch", library.url.path).status == 64)
        #expect(try run("model", "diff", library.url.path).status == 64)
    }

    @Test("An export may be piped into an import")
    func pipe() throws {
        let library = try LibraryStore()
        let export = try run("export", library.url.path)
        #expect(export.status == 0)
        #expect(export.errors == "")
        let copy = library.folder.appendingPathComponent("Copy.sqlite").path
        let imported = try run("import", "-", copy, input: export.output)
        #expect(imported.output == "12 objects\n")
        #expect(imported.status == 0)
        let bad = try run("import", "-", copy + "2", input: "{}\n")
        #expect(bad.status == 2)
        #expect(!FileManager.default.fileExists(atPath: copy + "2"))
    }

    @Test("A repair leaves the store, and says what it did to the copy")
    func repair() throws {
        let library = try LibraryStore()
        try library.damage("UPDATE ZCHAPTER SET Z_FOK_BOOK = NULL")
        let before = try library.files()
        let copy = library.folder.appendingPathComponent("Repaired.sqlite").path
        let repair = try run("check", library.url.path, "--repair", copy)
        #expect(repair.status == 0)
        #expect(repair.output.contains("repaired: 3 rows without a place in the order of Book.chapters"))
        #expect(repair.output.hasSuffix("no problem left\n"))
        #expect(
            try library.files().filter { !$0.key.hasPrefix("Repaired") && !$0.key.hasPrefix(".Repaired") }
                == before)
    }

    @Test(
        "Every command's help has examples",
        arguments: [
            "inspect", "fetch", "sql", "check", "history", "export", "import", "convert", "model print",
            "model lint",
            "model diff", "model compile", "model generate",
        ])
    func help(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let help = try words.count == 1 ? run(words[0], "--help") : run(words[0], words[1], "--help")
        #expect(help.status == 0)
        #expect(help.output.contains("EXAMPLES"))
        #expect(help.output.contains("  coredata \(command) "))
    }

    @Test("Shells can complete it", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let script = try run("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains("inspect"))
    }
}
