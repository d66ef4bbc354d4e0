import CoreDataModelFormat
import CoreDataModelSource
import CoreDataTool
import Foundation
import Testing

@Suite("Editing models from the command line")
struct ModelEditTests {
    /// A package with a version, in a folder of its own.
    private final class Package {
        let url: URL

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("edit-\(UUID())")
            url = folder.appendingPathComponent("Library.xcdatamodeld")
            let version = ModelVersion(name: "Library", document: LibraryModel.document)
            let package = try ModelPackage(
                name: "Library", versions: [version], currentVersionName: "Library")
            try ModelPackageWriter(package).writeSource(to: url)
        }

        deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

        /// The bytes of the files, by path in the package.
        var files: [String: Data] {
            let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
            return Dictionary(
                uniqueKeysWithValues: paths.compactMap { path in
                    (try? Data(contentsOf: url.appendingPathComponent(path))).map { (path, $0) }
                })
        }
    }

    private func edit(_ package: Package, _ commands: String, _ more: String...) throws -> CommandRun {
        try CommandRun(["model", "edit", package.url.path, "--commands", "-"] + more, input: commands)
    }

    @Test(
        "Only the files that changed are written: versions come, go and are renamed, others keep their bytes")
    func files() throws {
        let package = try Package()
        let before = package.files
        let added = try edit(package, #"[{"command": "addVersion", "name": "Library 2"}]"#)
        #expect(added.status == 0 && added.output.isEmpty && added.errors.isEmpty)
        var expected = before
        expected["Library 2.xcdatamodel/contents"] = before["Library.xcdatamodel/contents"]
        #expect(package.files == expected)

        let renamed = try edit(
            package,
            """
            [
                {"command": "setCurrentVersion", "version": "Library 2"},
                {"command": "rename", "element": "Book.pages", "to": "length"}
            ]
            """)
        #expect(renamed.status == 0)
        let model = try ModelPackage.read(at: package.url)
        #expect(model.currentVersionName == "Library 2")
        let book = model.current.document.entities.first { $0.name == "Book" }
        #expect(book?.attributes.first { $0.name == "length" }?.renamingIdentifier == "pages")
        #expect(package.files["Library.xcdatamodel/contents"] == before["Library.xcdatamodel/contents"])

        #expect(try edit(package, #"[{"command": "removeVersion", "version": "Library"}]"#).status == 0)
        #expect(try ModelPackage.read(at: package.url).versions.map(\.name) == ["Library 2"])
    }

    @Test("A dry run prints the differences in words, and writes nothing")
    func dryRun() throws {
        let package = try Package()
        let before = package.files
        let commands = """
            [
                {"command": "addVersion", "name": "Library 2"},
                {"command": "set", "elements": ["Book.title"], "set": {"optional": true}}
            ]
            """
        let run = try edit(package, commands, "--dry-run")
        #expect(run.status == 0)
        #expect(
            run.output == """
                + version Library 2
                version Library
                ~ attribute Book.title: optional no -> yes
                Stores have to be migrated: the version hashes of Book, Novel differ.

                """)
        #expect(package.files == before)
        #expect(try edit(package, "[]", "--dry-run").output == "no difference\n")
    }

    @Test(
        "A refused command is named by its number, with the reason; the exit code is 2, and nothing is written"
    )
    func refusal() throws {
        let package = try Package()
        let before = package.files
        let refused = try edit(
            package,
            """
            [{"command": "rename", "element": "Book.title", "to": "name"}, {"command": "remove", "elements": ["Shelf"]}]
            """)
        #expect(refused.status == 2)
        #expect(refused.errors == "coredata: command 2: there is no element \"Shelf\"\n")
        #expect(
            try edit(package, "[{}").errors == "coredata: malformed JSON at byte 3: ',' or ']' was expected\n"
        )
        let unknown = try edit(package, #"[{"command": "fly"}]"#)
        #expect(unknown.errors == "coredata: command 1: there is no command \"fly\"\n")
        #expect(package.files == before)
    }

    @Test("A single model is edited in its place; a compiled one is not")
    func single() throws {
        let package = try Package()
        let version = package.url.appendingPathComponent("Library.xcdatamodel")
        var edit = try ModelEdit(version)
        try edit.perform(#"[{"command": "rename", "element": "Tag", "to": "Label"}]"#)
        try edit.write()
        #expect(try ModelPackage.read(at: version).current.document.entities.contains { $0.name == "Label" })
        #expect(throws: ToolError.self) { try ModelEdit(URL(fileURLWithPath: "/Library.momd")) }
    }

    @Test("The linter prints the fixes for each problem, and a fix of that name mends it")
    func fixes() throws {
        let package = try Package()
        let lint = try CommandRun(["model", "lint", package.url.path, "--fixes"])
        let lines = lint.output.split(separator: "\n").map(String.init)
        let problem = try #require(
            lines.firstIndex { $0.contains("Author.masterpiece should have an inverse") })
        #expect(lines[problem + 1] == "  fix addInverse: add the inverse Novel.author1")
        let fixed = try edit(
            package, #"[{"command": "applyFix", "element": "Author.masterpiece", "fix": "addInverse"}]"#)
        #expect(fixed.status == 0)
        let again = try CommandRun(["model", "lint", package.url.path])
        #expect(!again.output.contains("Author.masterpiece should have an inverse"))
    }
}
