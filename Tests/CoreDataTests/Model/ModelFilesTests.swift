import Foundation
import Testing

@testable import CoreData

@Suite("Model files")
struct ModelFilesTests {
    /// A folder that is removed when the test ends.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        /// A compiled model folder with versions, the current one named if given.
        func momd(
            _ name: String, versions: [String], current: String?, hashes: [String: [String: Data]] = [:]
        ) throws -> URL {
            let folder = url.appendingPathComponent("\(name).momd")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for version in versions {
                try Data().write(to: folder.appendingPathComponent("\(version).mom"))
            }
            if let current {
                let info: [String: Any] = [
                    "NSManagedObjectModel_CurrentVersionName": current,
                    "NSManagedObjectModel_VersionHashes": hashes,
                ]
                try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
                    .write(to: folder.appendingPathComponent("VersionInfo.plist"))
            }
            return folder
        }
    }

    @Test("The current version is the one that VersionInfo.plist names")
    func currentVersion() throws {
        let folder = try Folder()
        let momd = try folder.momd("M", versions: ["M", "M 2", "M 3"], current: "M 2")
        #expect(try ModelFiles.currentVersion(of: momd).lastPathComponent == "M 2.mom")
    }

    @Test("A single version needs no VersionInfo.plist; several do")
    func missingVersionInfo() throws {
        let folder = try Folder()
        let single = try folder.momd("One", versions: ["A"], current: nil)
        #expect(try ModelFiles.currentVersion(of: single).lastPathComponent == "A.mom")
        let several = try folder.momd("Two", versions: ["A", "B"], current: nil)
        #expect(throws: CocoaError.self) { try ModelFiles.currentVersion(of: several) }
    }

    @Test("A missing model gives nil, not a crash")
    func missingModel() {
        #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/no/such/model.momd")) == nil)
    }

    @Test("A file that is not a model gives nil")
    func noModel() throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("x.mom")
        try Data("no model".utf8).write(to: url)
        #expect(NSManagedObjectModel(contentsOf: url) == nil)
    }

    @Test("A bundle's models are found by name, versions with the current one first")
    func bundleModels() throws {
        let folder = try Folder()
        _ = try folder.momd("Shop", versions: ["A", "B", "C"], current: "B")
        try Data().write(to: folder.url.appendingPathComponent("Plain.mom"))
        let bundle = try #require(Bundle(path: folder.url.path))
        let files = ModelFiles(bundles: [bundle])
        #expect(files.urls().map(\.lastPathComponent) == ["Plain.mom", "Shop.momd"])
        #expect(files.url(named: "Shop")?.lastPathComponent == "Shop.momd")
        #expect(files.url(named: "Nothing") == nil)
        #expect(
            files.versionURLs().map(\.lastPathComponent) == ["Plain.mom", "B.mom", "A.mom", "C.mom"])
    }

    @Test("Versions whose hashes VersionInfo.plist excludes are not read")
    func versionsOfHashes() throws {
        let folder = try Folder()
        let (one, two) = (["Item": Data([1])], ["Item": Data([2])])
        _ = try folder.momd("Shop", versions: ["A", "B", "C"], current: "B", hashes: ["A": one, "B": two])
        try Data().write(to: folder.url.appendingPathComponent("Plain.mom"))
        let files = ModelFiles(bundles: [try #require(Bundle(path: folder.url.path))])
        func names(_ hashes: [String: Data]) -> [String] {
            files.versionURLs(of: hashes).map(\.lastPathComponent)
        }
        #expect(names(one) == ["Plain.mom", "A.mom", "C.mom"])
        #expect(names(two) == ["Plain.mom", "B.mom", "C.mom"])
        #expect(names([:]) == ["Plain.mom", "C.mom"])
    }

    @Test("A model compiled for a module outside of the program is not among the program's models")
    func foreignModels() throws {
        let folder = try Folder()
        let resources = folder.url.appendingPathComponent("shop_Elsewhere.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        let inner = try folder.momd("Notes", versions: ["A"], current: "A")
        let momd = resources.appendingPathComponent("Notes.momd")
        try FileManager.default.moveItem(at: inner, to: momd)
        try Data().write(to: momd.appendingPathComponent("Classes.plist"))
        #expect(ModelFiles(bundles: nil, besides: [folder.url]).url(named: "Notes") == nil)
        let bundle = try #require(Bundle(path: resources.path))
        #expect(ModelFiles(bundles: [bundle]).url(named: "Notes") != nil)
    }

    @Test("A resource folder's name gives the modules to which it may belong")
    func resourceFolders() {
        #expect(ResourceFolder(name: "my_app_My-Notes.resources")?.modules == ["app_My_Notes", "My_Notes"])
        #expect(ResourceFolder(name: "Notes.momd") == nil)
    }

    @Test(
        "The main bundle and all bundles find models in resource folders beside the executable"
    )
    func programModels() throws {
        let folder = try Folder()
        let resources = folder.url.appendingPathComponent("my-app_Notes.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        let inner = try folder.momd("Notes", versions: ["A"], current: "A")
        try FileManager.default.moveItem(at: inner, to: resources.appendingPathComponent("Notes.momd"))
        for bundles in [nil, [Bundle.main], Bundle.allBundles] {
            let files = ModelFiles(bundles: bundles, besides: [folder.url])
            let found = try #require(files.url(named: "Notes"))
            #expect(found.pathComponents.suffix(2) == ["my-app_Notes.resources", "Notes.momd"])
        }
        let empty = try Folder()
        let other = try #require(Bundle(url: empty.url))
        #expect(ModelFiles(bundles: [other], besides: [folder.url]).url(named: "Notes") == nil)
    }
}
