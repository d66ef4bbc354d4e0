import CoreDataModelFormat
import Foundation

/// The compiled models and mapping models that a program can reach.
struct ModelFiles {
    private struct Folder {
        let url: URL
        /// Whether models of modules that are not part of the program are left out.
        let isProgram: Bool
    }

    private let folders: [Folder]

    /// Lists the resource folders of bundles.
    ///
    /// Nil stands for the program: the main bundle and all loaded ones. So does an empty list, since
    /// `Bundle.allBundles`, which tests pass, is empty on Linux. The main bundle includes what the build put
    /// beside the executable (`<Package>_<Target>.resources`): a program's resources are there on Linux, and
    /// apps pass the main bundle as often as nil.
    init(bundles named: [Bundle]?, besides programFolders: [URL] = Self.programFolders) {
        let bundles = named?.isEmpty == true ? nil : named
        var folders: [Folder] = []
        for bundle in bundles ?? [Bundle.main] + Bundle.allBundles {
            for url in [bundle.bundleURL, bundle.resourceURL].compactMap({ $0 }) {
                folders.append(Folder(url: url, isProgram: bundles == nil))
            }
        }
        if bundles?.contains(where: { $0.bundleURL == Bundle.main.bundleURL }) ?? true {
            for folder in programFolders {
                let resources = Self.contents(of: folder, "resources", "bundle")
                folders += ([folder] + resources).map { Folder(url: $0, isProgram: true) }
            }
        }
        var seen: Set<String> = []
        self.folders = folders.filter { seen.insert($0.url.resolvingSymlinksInPath().path).inserted }
    }

    /// Returns every model; a versioned one as its `.momd` folder.
    func urls() -> [URL] {
        folders.flatMap { folder in
            let models = Self.contents(of: folder.url, "momd", "mom")
            guard folder.isProgram, let target = ResourceFolder(name: folder.url.lastPathComponent) else {
                return models
            }
            return models.filter(target.offers)
        }
    }

    /// Returns every compiled mapping model.
    func mappingURLs() -> [URL] {
        folders.flatMap { Self.contents(of: $0.url, "cdm") }
    }

    /// Returns every version of every model, the current one of each first.
    ///
    /// - Parameter hashes: The hashes to search for: versions that are known to have other hashes are left
    ///   out.
    func versionURLs(of hashes: [String: Data]? = nil) -> [URL] {
        urls().flatMap { url in
            guard url.pathExtension == "momd" else { return [url] }
            let known = hashes.flatMap { _ in Self.versionInfo(of: url)?.hashes } ?? [:]
            let current = try? Self.currentVersion(of: url)
            let others = Self.contents(of: url, "mom").filter { $0.path != current?.path }
            return ((current.map { [$0] } ?? []) + others).filter { version in
                known[version.deletingPathExtension().lastPathComponent].map { $0 == hashes } ?? true
            }
        }
    }

    /// Returns the model with a name; a versioned one is preferred to a plain one.
    func url(named name: String) -> URL? {
        let matches = urls().filter { $0.deletingPathExtension().lastPathComponent == name }
        return matches.first { $0.pathExtension == "momd" } ?? matches.first
    }

    /// Returns the folder of a module's resources beside the program.
    static func resourceFolder(of module: String) -> URL? {
        programFolders.lazy.flatMap { contents(of: $0, "resources", "bundle") }.filter { folder in
            ResourceFolder(name: folder.lastPathComponent)?.modules.contains(module) == true
        }.min { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Returns the `.mom` file of a `.momd` folder's current version, or the file itself.
    static func currentVersion(of url: URL) throws -> URL {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [filePathKey: url.path])
        }
        guard isFolder.boolValue else { return url }
        let versions = contents(of: url, "mom")
        if let info = versionInfo(of: url) {
            return url.appendingPathComponent("\(info.currentVersionName).mom")
        }
        guard versions.count == 1 else {
            throw CocoaError(
                .fileReadCorruptFile,
                userInfo: [
                    filePathKey: url.path,
                    NSLocalizedFailureReasonErrorKey:
                        "VersionInfo.plist does not say which of \(versions.count) versions is the current one.",
                ])
        }
        return versions[0]
    }

    private static func versionInfo(of folder: URL) -> VersionInfo? {
        let url = folder.appendingPathComponent(VersionInfo.fileName)
        return try? VersionInfo(PlainFile.contents(at: url.path), path: url.path)
    }

    /// The folders of the executable: of the path with which it was started, and of the path that the system
    /// has.
    private static var programFolders: [URL] {
        [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])]
            .compactMap { $0?.resolvingSymlinksInPath().deletingLastPathComponent() }
    }

    /// Returns the files of a folder that have one of some extensions, without hidden ones.
    ///
    /// It compares names first: a program may be in a folder with thousands of files, and making a URL
    /// accesses its file.
    private static func contents(of folder: URL, _ extensions: String...) -> [URL] {
        let endings = extensions.map { ".\($0)" }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in !name.hasPrefix(".") && endings.contains(where: name.hasSuffix) }
            .sorted().map { folder.appendingPathComponent($0) }
    }
}
