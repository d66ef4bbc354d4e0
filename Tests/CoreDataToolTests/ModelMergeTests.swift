import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Merging models from the command line")
struct ModelMergeTests {
    private static let contents = "App/Model.xcdatamodeld/Model.xcdatamodel/contents"

    @Test("Git merges two branches by element, and leaves a conflict marked for lint")
    func git() throws {
        try withRepository { folder in
            let file = folder.appendingPathComponent(Self.contents)
            let model = file.deletingLastPathComponent().path
            try Self.write(folder, "ours") { document in
                document.entities[1].attributes[0].versionHashModifier = "2"
                document.entities[0].attributes.append(AttributeElement(name: "age", type: .integer16))
            }
            try Self.git(folder, "checkout", "-q", "-b", "theirs", "main")
            try Self.write(folder, "theirs") { document in
                document.entities[1].attributes[0].isOptional.toggle()
                document.entities[0].attributes.append(AttributeElement(name: "born", type: .date))
            }
            #expect(try Self.git(folder, "merge", "-q", "ours", "-m", "merge") == 0)
            let merged = try Self.read(file)
            #expect(merged.entities[0].attributes.suffix(2).map(\.name) == ["born", "age"])
            #expect(merged.entities[1].attributes[0].versionHashModifier == "2")
            #expect(
                merged.entities[1].attributes[0].isOptional
                    != LibraryModel.document.entities[1].attributes[0].isOptional)
            let before = try CommandRun(["model", "lint", model]).output

            try Self.git(folder, "checkout", "-q", "-b", "third", "ours")
            try Self.write(folder, "third") { $0.entities[1].attributes[0].versionHashModifier = "3" }
            try Self.git(folder, "checkout", "-q", "-b", "fourth", "ours")
            try Self.write(folder, "fourth") { $0.entities[1].attributes[0].versionHashModifier = "4" }
            #expect(try Self.git(folder, "merge", "-q", "third", "-m", "merge") == 1)
            let left = try Self.read(file)
            #expect(left.entities[1].attributes[0].versionHashModifier == "4")
            #expect(try Self.git(folder, "diff", "--quiet", "--diff-filter=U") == 1)
            let lint = try CommandRun(["model", "lint", model])
            #expect(lint.status == 1)
            #expect(lint.output != before)
            #expect(lint.output.contains("error: Book: a merge has left a conflict: Book."))
            #expect(lint.output.contains("ours \"4\", theirs \"3\", before \"2\""))
        }
    }

    @Test("The merged model goes over ours or elsewhere; conflicts are on standard error with exit code 1")
    func command() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["base", "ours", "theirs", "output"].map { folder.appendingPathComponent($0).path }
        var (ours, theirs) = (LibraryModel.document, LibraryModel.document)
        ours.fetchRequests.append(FetchRequestElement(name: "all", entityName: "Book"))
        theirs.entities[0].userInfo.append(UserInfoEntry(key: "a", value: "1"))
        let sources = [LibraryModel.document, ours, theirs].map { ModelWriter($0).contents() }
        for (path, source) in zip(paths, sources) { try source.write(to: URL(fileURLWithPath: path)) }
        let first = try CommandRun(["model", "merge"] + paths[0..<3] + ["--output", paths[3]])
        #expect(first.status == 0)
        #expect(first.errors == "")
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[1])) == sources[1])
        let merged = try Self.read(URL(fileURLWithPath: paths[3]))
        #expect(merged.fetchRequests.contains { $0.name == "all" })
        #expect(merged.entities[0].userInfo.last?.key == "a")
        ours.entities[0].userInfo.append(UserInfoEntry(key: "a", value: "2"))
        try ModelWriter(ours).contents().write(to: URL(fileURLWithPath: paths[1]))
        let second = try CommandRun(["model", "merge"] + paths[0..<3])
        #expect(second.status == 1)
        #expect(
            second.errors.hasPrefix("coredata: conflict: Author: user info a value: ours \"2\", theirs \"1\"")
        )
        try Data().write(to: URL(fileURLWithPath: paths[0]))
        #expect(try CommandRun(["model", "merge", paths[0], paths[2], paths[2]]).status == 0)
        try Data("<model>".utf8).write(to: URL(fileURLWithPath: paths[0]))
        #expect(try CommandRun(["model", "merge", paths[0], paths[2], paths[2]]).status == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[2])) == sources[2])
    }

    // MARK: Support

    private static func read(_ file: URL) throws -> ModelDocument {
        try XMLModelParser(file: file.path).parse(Data(contentsOf: file)).document
    }

    /// Commits a change of the model to a branch of its own.
    private static func write(_ folder: URL, _ branch: String, _ change: (inout ModelDocument) -> Void) throws
    {
        let file = folder.appendingPathComponent(contents)
        try git(folder, "checkout", "-q", "-B", branch)
        var document = try read(file)
        change(&document)
        try ModelWriter(document).contents().write(to: file)
        try git(folder, "commit", "-q", "-a", "-m", branch)
    }

    private func withRepository(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(Self.contents)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ModelWriter(LibraryModel.document).contents().write(to: file)
        try Data("**/*.xcdatamodel/contents merge=xcdatamodel\n".utf8)
            .write(to: folder.appendingPathComponent(".gitattributes"))
        try Self.git(folder, "init", "-q", "-b", "main")
        try Self.git(
            folder, "config", "merge.xcdatamodel.driver", "'\(CommandRun.tool.path)' model merge %O %A %B")
        try Self.git(folder, "add", "--all")
        try Self.git(folder, "commit", "-q", "-m", "main")
        try body(folder)
    }

    /// Runs git in a folder, apart from the settings of the user.
    @discardableResult
    private static func git(_ folder: URL, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["git", "-C", folder.path, "-c", "user.name=Test", "-c", "user.email=test@example.com"]
            + arguments
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": folder.path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
