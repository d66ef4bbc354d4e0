import CoreDataJSON
import CoreDataTool
import Foundation
import Testing

@Suite("The command line")
struct CommandTests {
    private func run(
        _ arguments: String..., input: String = "", writingTo target: String? = nil
    ) throws -> CommandRun {
        try CommandRun(arguments, input: input, writingTo: target)
    }

    @Test("A successful command has exit code 0 and writes nothing to standard error")
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
        "Exit codes are 1 for findings, 2 for failures with a line on standard error, 64 for misuse")
    func failures() throws {
        let library = try LibraryStore()
        try library.damage("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        let check = try run("check", library.url.path)
        #expect(check.status == 1)
        #expect(check.output.contains("the highest key of Book is recorded as 0, but 3 is in use"))

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

    @Test(
        "Output that cannot be written is a failure",
        arguments: ["inspect", "fetch", "check", "history", "export", "model print", "sql"])
    func fullDisk(_ command: String) throws {
        let library = try LibraryStore(history: true)
        let path = library.url.path
        let words = command.split(separator: " ").map(String.init)
        let outcome =
            switch command {
            case "fetch", "sql": try run(command, path, "Book", writingTo: "/dev/full")
            case "model print": try run(words[0], words[1], path, writingTo: "/dev/full")
            default: try run(command, path, writingTo: "/dev/full")
            }
        #expect(outcome.status == 2)
        #expect(outcome.errors == "coredata: standard output cannot be written: No space left on device\n")
    }

    @Test("An export overwrites its target in place, and never the store itself")
    func target() throws {
        let library = try LibraryStore()
        let files = FileManager.default
        let before = try library.files()
        let link = library.folder.appendingPathComponent("link.jsonl").path
        try files.createSymbolicLink(atPath: link, withDestinationPath: library.url.path)
        for path in [library.url.path, link, library.folder.path + "/./Library.sqlite"] {
            let outcome = try run("export", library.url.path, "--to", path)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("is the input"))
        }
        #expect(try library.files().filter { $0.key != "link.jsonl" } == before)

        let target = library.folder.appendingPathComponent("target.jsonl").path
        try files.removeItem(atPath: link)
        try files.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try run("export", library.url.path, "--to", link).status == 0)
        #expect(try files.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try run("export", library.url.path, "--to", "/dev/full").status == 2)
        #expect(try files.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType != .typeRegular)
        let folder = try run("export", library.url.path, "--to", library.folder.path)
        #expect(folder.errors == "coredata: \(library.folder.path) cannot be written: Is a directory\n")
    }

    @Test("Input that is not a file of lines is an error")
    func badInput() throws {
        let library = try LibraryStore()
        let new = library.folder.appendingPathComponent("New.sqlite").path
        let folder = try run("import", library.folder.path, new)
        #expect(folder.status == 2)
        #expect(folder.errors == "coredata: \(library.folder.path) cannot be read: Is a directory\n")
        #expect(try run("import", "/nowhere", new).errors.contains("No such file"))
        #expect(!FileManager.default.fileExists(atPath: new))
        #expect(try run("fetch", library.url.path, "Book", "--limit=-1").status == 64)
        #expect(try run("history", library.url.path, "--limit=-1").status == 64)
    }

    @Test("A repair leaves the store unchanged, and reports what it did to the copy")
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

        let other = library.folder.appendingPathComponent("Other.sqlite").path
        let outcome = try JSONParser.parse(
            try run("check", library.url.path, "--repair", other, "--json").output)
        guard case .array(let found)? = outcome["found"] else { throw ToolError("nothing was found") }
        #expect(found.count == 1)
        #expect(outcome["left"] == .array([]))
    }

    @Test(
        "Every command's help has examples",
        arguments: [
            "inspect", "fetch", "sql", "check", "history", "export", "import", "convert", "migrate",
            "model new", "model print", "model graph", "model lint", "model diff", "model compile",
            "model generate",
        ])
    func help(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let help = try words.count == 1 ? run(words[0], "--help") : run(words[0], words[1], "--help")
        #expect(help.status == 0)
        #expect(help.output.contains("EXAMPLES"))
        #expect(help.output.contains("  coredata \(command) "))
        // A line that is broken in the help could not be copied and run.
        let examples = help.output.components(separatedBy: "EXAMPLES\n")[1].components(separatedBy: "\n\n")[0]
        #expect(examples.split(separator: "\n").allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
    }

    @Test("Shells can complete the commands", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let script = try run("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains("inspect"))
    }
}
