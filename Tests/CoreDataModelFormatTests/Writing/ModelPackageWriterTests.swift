import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Model packages on disk")
struct ModelPackageWriterTests {
    @Test("A compiled package has every version, the current version's name, hashes and checksums")
    func compile() throws {
        try withTemporaryFolder { folder in
            let momd = folder.appendingPathComponent("Music.momd")
            try ModelPackageWriter(Self.package()).compile(to: momd, moduleName: "Player")
            let again = try ModelPackage.read(at: momd)
            #expect(again.name == "Music")
            #expect(again.versions.map(\.name) == ["Music", "Music 2"])
            #expect(again.currentVersionName == "Music 2")
            #expect(again.current.document.entities.first?.className == "Player.Song")
            let data = try Data(contentsOf: momd.appendingPathComponent(VersionInfo.fileName))
            let info = try VersionInfo(data, path: "VersionInfo.plist")
            let hashes = VersionHashes(again.current.document)
            #expect(info.hashes["Music 2"] == hashes.byEntity)
            #expect(info.checksums["Music 2"] == hashes.checksum)
            #expect(info.hashes["Music"] != info.hashes["Music 2"])
        }
    }

    @Test("Only the current version is read, so damage in another version does not matter")
    func currentAlone() throws {
        try withTemporaryFolder { folder in
            let momd = folder.appendingPathComponent("Music.momd")
            try ModelPackageWriter(Self.package()).compile(to: momd)
            try Data("?".utf8).write(to: momd.appendingPathComponent("Music.mom"))
            let current = try ModelPackage.readCurrentVersion(at: momd)
            #expect(current.name == "Music 2")
            #expect(current.document.entities.first?.attributes.count == 2)
            #expect(throws: ModelFileError.self) { try ModelPackage.read(at: momd) }
        }
    }

    @Test("Compiling again removes versions that the source no longer has")
    func staleVersion() throws {
        try withTemporaryFolder { folder in
            let momd = folder.appendingPathComponent("Music.momd")
            try ModelPackageWriter(Self.package()).compile(to: momd)
            let package = try Self.package()
            let rest = try ModelPackage(
                name: package.name, versions: [package.current], currentVersionName: "Music 2")
            try ModelPackageWriter(rest).compile(to: momd)
            let files = try FileManager.default.contentsOfDirectory(atPath: momd.path).sorted()
            #expect(files == ["Music 2.mom", "VersionInfo.plist"])
        }
    }

    @Test("A source package written and read again is the same")
    func source() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package()).writeSource(to: url)
            let again = try ModelPackage.read(at: url)
            #expect(again.currentVersionName == "Music 2")
            for version in try Self.package().versions {
                let read = again.version(named: version.name)?.document
                #expect(read?.entities == version.document.entities)
            }
        }
    }

    @Test("The last of several versions is the current one if no file names it, and an error says so")
    func assumedCurrentVersion() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package()).writeSource(to: url)
            let marker = url.appendingPathComponent(".xccurrentversion")
            try FileManager.default.removeItem(at: marker)
            let second = url.appendingPathComponent("Music 2.xcdatamodel")
            try FileManager.default.copyItem(
                at: second, to: url.appendingPathComponent("Music 10.xcdatamodel"))
            let package = try ModelPackage.read(at: url)
            #expect(package.currentVersionName == "Music 10" && package.assumesCurrentVersion)
            #expect(try ModelPackage.readCurrentVersion(at: url).name == "Music 10")
            let notes = package.versions.map { $0.diagnostics.filter { $0.severity == .error } }
            #expect(notes.map(\.count) == [0, 1, 0])
            #expect(notes[1].first?.message.contains("no .xccurrentversion") == true)
            let compiled = folder.appendingPathComponent("Music.momd")
            let error = #expect(throws: ModelFileError.self) {
                try ModelPackageWriter(package).compile(to: compiled)
            }
            #expect(error?.reason == .missingCurrentVersion(named: nil))
            #expect(!FileManager.default.fileExists(atPath: compiled.path))
            #expect(try !PackageSave(package, over: PackageFiles.read(at: url)).changesFiles)
            let chosen = try ModelPackage(
                name: "Music", versions: package.versions, currentVersionName: "Music 10")
            try PackageSave(chosen, over: PackageFiles.read(at: url)).perform(at: url)
            #expect(FileManager.default.fileExists(atPath: marker.path))
            let saved = try ModelPackage.read(at: url)
            #expect(saved.currentVersionName == "Music 10" && !saved.assumesCurrentVersion)
            try ModelPackageWriter(saved).compile(to: compiled)
            try FileManager.default.removeItem(at: compiled.appendingPathComponent(VersionInfo.fileName))
            #expect(throws: ModelFileError.self) { try ModelPackage.read(at: compiled) }
        }
    }

    @Test("A package of one version needs no .xccurrentversion")
    func currentVersion() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Music.xcdatamodeld")
            try ModelPackageWriter(Self.package()).writeSource(to: url)
            try FileManager.default.removeItem(at: url.appendingPathComponent(".xccurrentversion"))
            try FileManager.default.removeItem(at: url.appendingPathComponent("Music.xcdatamodel"))
            let package = try ModelPackage.read(at: url)
            #expect(package.currentVersionName == "Music 2" && !package.assumesCurrentVersion)
        }
    }

    @Test("A model in Xcode 3's format is refused, and the error says so")
    func xcode3() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Old.xcdatamodel")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data("bplist00".utf8).write(to: url.appendingPathComponent("elements"))
            let error = #expect(throws: ModelFileError.self) { try ModelPackage.read(at: url) }
            #expect(error?.reason == .xcode3Model)
            #expect(error?.description.contains("Xcode 3") == true)
        }
    }

    @Test("A file that cannot be read is an error with its path")
    func unreadable() throws {
        try withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("No.momd")
            let error = #expect(throws: ModelFileError.self) { try ModelPackage.read(at: missing) }
            #expect(error?.description.hasPrefix(missing.path) == true)
            let damaged = folder.appendingPathComponent("Bad.mom")
            try Data("bplist00 and no more".utf8).write(to: damaged)
            let damage = #expect(throws: ModelFileError.self) { try ModelPackage.read(at: damaged) }
            #expect(damage?.path == damaged.path)
        }
    }

    @Test("A predicate that does not parse stops the compiler with an error that names its element")
    func badPredicate() throws {
        let request = FetchRequestElement(name: "broken", entityName: "Song", predicate: "title ==")
        let document = ModelDocument(entities: [EntityElement(name: "Song")], fetchRequests: [request])
        let error = #expect(throws: ModelFileError.self) { try CompiledModelWriter(document).mom() }
        #expect(error?.description.contains("fetchRequest:broken") == true)
    }

    private static func package() throws -> ModelPackage {
        var song = EntityElement(name: "Song", className: ".Song")
        song.attributes = [AttributeElement(name: "title", type: .string)]
        let first = ModelVersion(name: "Music", document: ModelDocument(entities: [song]))
        song.attributes.append(AttributeElement(name: "length", type: .double, defaultValue: .double(0)))
        let second = ModelVersion(name: "Music 2", document: ModelDocument(entities: [song]))
        return try ModelPackage(name: "Music", versions: [first, second], currentVersionName: "Music 2")
    }

    private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }
}
