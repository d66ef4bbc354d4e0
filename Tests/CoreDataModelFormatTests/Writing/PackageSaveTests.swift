import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Saving model packages")
struct PackageSaveTests {
    private static let first = "Music.xcdatamodel/contents"
    private static let second = "Music 2.xcdatamodel/contents"

    @Test("Saving what was read writes no file")
    func unchanged() throws {
        try withPackage { url in
            let plan = try PackageSave(ModelPackage.read(at: url), over: PackageFiles.read(at: url))
            #expect(
                plan.operations == [.leave(Self.first), .leave(Self.second), .leave(PackageFiles.marker)])
            #expect(!plan.changesFiles)
        }
    }

    @Test("Only files whose bytes differ are written, and other files of the package stay")
    func changed() throws {
        try withPackage { url in
            let other = url.appendingPathComponent("Music.xcdatamodel/layout")
            try Data("kept".utf8).write(to: other)
            let former = try PackageFiles.read(at: url)
            let stamp = try Self.date(url.appendingPathComponent(Self.first))
            let package = try ModelPackage.read(at: url).with("Music 2") { $0.entities[0].name = "Tune" }
            let plan = try PackageSave(package, over: former)
            try plan.perform(at: url)
            #expect(plan.written == [Self.second])
            #expect(try Self.date(url.appendingPathComponent(Self.first)) == stamp)
            #expect(try String(decoding: Data(contentsOf: other), as: UTF8.self) == "kept")
            #expect(try ModelPackage.read(at: url).current.document.entities[0].name == "Tune")
            #expect(
                try Self.everything(in: url) == [
                    ".xccurrentversion", "Music 2.xcdatamodel", "Music.xcdatamodel",
                ])
        }
    }

    @Test("A version added, made current and another one removed: the package can be read after each step")
    func versions() throws {
        try withPackage { url in
            let files = try PackageFiles.read(at: url)
            let read = try ModelPackage.read(at: url)
            let third = ModelVersion(name: "Music 3", document: read.current.document)
            let package = try ModelPackage(
                name: "Music", versions: [read.versions[0], third], currentVersionName: "Music 3")
            let plan = try PackageSave(package, over: files)
            #expect(
                plan.operations.last == .removeVersion("Music 2", replacing: files.contents[Self.second]!))
            for count in plan.operations.indices {
                try PackageSave(operations: Array(plan.operations[...count])).perform(at: url)
                #expect(try ModelPackage.read(at: url).versions.count >= 2)
            }
            #expect(try ModelPackage.read(at: url).currentVersionName == "Music 3")
            #expect(
                try Self.everything(in: url) == [
                    ".xccurrentversion", "Music 3.xcdatamodel", "Music.xcdatamodel",
                ])
        }
    }

    @Test("A plan is refused as a whole if a file is not what it was when it was read")
    func overtaken() throws {
        try withPackage { url in
            let former = try PackageFiles.read(at: url)
            let package = try ModelPackage.read(at: url)
                .with("Music") { $0.entities[0].name = "Tune" }.with("Music 2") {
                    $0.entities[0].name = "Tune"
                }
            let plan = try PackageSave(package, over: former)
            let file = url.appendingPathComponent(Self.second)
            try Data("<model/>".utf8).write(to: file)
            let error = #expect(throws: ModelFileError.self) { try plan.perform(at: url) }
            #expect(error?.reason == .overtaken)
            #expect(
                try Data(contentsOf: url.appendingPathComponent(Self.first)) == former.contents[Self.first])
            try former.contents[Self.second]!.write(to: file)
            try plan.perform(at: url)
            try plan.perform(at: url)
            #expect(!(try PackageSave(package, over: PackageFiles.read(at: url)).changesFiles))
        }
    }

    @Test(
        "The name of the current version changes alone in its file, and a missing file is written if needed")
    func marker() throws {
        try withPackage { url in
            let marker = url.appendingPathComponent(PackageFiles.marker)
            let content = ["_XCCurrentVersionName": "Music 2.xcdatamodel", "more": "kept"]
            try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
                .write(to: marker)
            var files = try PackageFiles.read(at: url)
            let read = try ModelPackage.read(at: url)
            #expect(!(try PackageSave(read, over: files).changesFiles))
            let other = try ModelPackage(name: "Music", versions: read.versions, currentVersionName: "Music")
            try PackageSave(other, over: files).perform(at: url)
            let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: marker), format: nil)
            #expect(
                list as? [String: String] == ["_XCCurrentVersionName": "Music.xcdatamodel", "more": "kept"])
            files.contents[PackageFiles.marker] = nil
            #expect(try PackageSave(other, over: files).written == [PackageFiles.marker])
            files.contents[Self.second] = nil
            let single = try ModelPackage(
                name: "Music", versions: [read.versions[0]], currentVersionName: "Music")
            #expect(try PackageSave(single, over: files).written == [])
        }
    }

    @Test("A single version is saved in its folder; its link and its permissions stay")
    func single() throws {
        try withPackage { url in
            let folder = url.appendingPathComponent("Music.xcdatamodel")
            let (file, target) = (
                folder.appendingPathComponent("contents"), url.appendingPathComponent("real")
            )
            try FileManager.default.moveItem(at: file, to: target)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
            for place in [folder, file] {
                let package = try ModelPackage.read(at: place)
                    .with("Music") { $0.entities[0].name += "x" }
                let plan = try PackageSave(package, over: PackageFiles.read(at: place))
                #expect(plan.written == ["contents"])
                try plan.perform(at: place)
            }
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: file.path)
            #expect(link == target.path)
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(
                try ModelPackage.read(
                    at: target.deletingLastPathComponent().appendingPathComponent(
                        "Music.xcdatamodel")
                ).current.document.entities[0].name == "Songxx")
        }
    }

    private func withPackage(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Music.xcdatamodeld")
        var song = EntityElement(name: "Song", className: ".Song")
        song.attributes = [AttributeElement(name: "title", type: .string)]
        let first = ModelVersion(name: "Music", document: ModelDocument(entities: [song]))
        song.attributes.append(AttributeElement(name: "length", type: .double, defaultValue: .double(0)))
        let second = ModelVersion(name: "Music 2", document: ModelDocument(entities: [song]))
        let package = try ModelPackage(
            name: "Music", versions: [first, second], currentVersionName: "Music 2")
        try PackageSave(package).perform(at: url)
        try body(url)
    }

    private static func date(_ url: URL) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
    }

    private static func everything(in url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}

extension ModelPackage {
    fileprivate func with(_ name: String, _ change: (inout ModelDocument) -> Void) throws -> ModelPackage {
        let versions = versions.map { version in
            guard version.name == name else { return version }
            var document = version.document
            change(&document)
            return ModelVersion(name: name, document: document)
        }
        return try ModelPackage(
            name: self.name, versions: versions, currentVersionName: currentVersionName,
            isVersioned: isVersioned)
    }
}

extension PackageSave {
    fileprivate var written: [String] {
        operations.compactMap { if case .write(let path, _, _) = $0 { path } else { nil } }
    }
}
