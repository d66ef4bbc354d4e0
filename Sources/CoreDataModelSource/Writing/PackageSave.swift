import CoreDataModelFormat
package import Foundation

/// A plan for saving a model's source: what happens to each of its files.
///
/// After each operation the package is one that can be read: versions are written before one of them becomes
/// the current one, and removed after that.
package struct PackageSave: Sendable, Hashable {
    package enum Operation: Sendable, Hashable {
        /// Writes a file, which contained `former`, or was not there.
        case write(String, Data, replacing: Data?)
        /// Removes the folder of a version, whose contents were `former`.
        case removeVersion(String, replacing: Data)
        /// Does nothing to a file whose bytes are right.
        case leave(String)
    }

    package let operations: [Operation]

    package init(operations: [Operation]) {
        self.operations = operations
    }

    /// Plans to save a package over the files that it was read from, or as a new one. Versions among the
    /// files that it does not have are removed.
    package init(_ package: ModelPackage, over files: PackageFiles = PackageFiles()) throws {
        var operations: [Operation] = []
        let write = { (path: String, data: Data) in
            let former = files.contents[path]
            operations.append(former == data ? .leave(path) : .write(path, data, replacing: former))
        }
        guard package.isVersioned else {
            write("contents", Self.contents(package.current, over: files.contents["contents"]))
            self.operations = operations
            return
        }
        for version in package.versions {
            // A name is the name of a folder in the package.
            guard !version.name.isEmpty, !version.name.contains("/") else {
                throw ModelFileError(version.name, .unwritable("a version cannot have this name"))
            }
            let path = PackageFiles.contents(ofVersion: version.name)
            write(path, Self.contents(version, over: files.contents[path]))
        }
        if let marker = try Self.marker(package, over: files) { write(PackageFiles.marker, marker) }
        for (path, data) in files.contents.sorted(by: { $0.key < $1.key }) {
            guard let name = PackageFiles.version(at: path), package.version(named: name) == nil else {
                continue
            }
            operations.append(.removeVersion(name, replacing: data))
        }
        self.operations = operations
    }

    /// Whether there is something to do.
    package var changesFiles: Bool {
        operations.contains { if case .leave = $0 { false } else { true } }
    }

    /// Does what is planned. Nothing is done if a file is not what it was when it was read.
    package func perform(at url: URL) throws {
        let files = ModelFileSystem()
        let folder = PackageFiles.folder(of: url)
        for operation in operations {
            switch operation {
            case .write(let path, let data, let former):
                try files.check(folder.appendingPathComponent(path), contains: former, or: data)
            case .removeVersion(let name, let former):
                let path = PackageFiles.contents(ofVersion: name)
                try files.check(folder.appendingPathComponent(path), contains: former)
            case .leave: break
            }
        }
        for operation in operations {
            switch operation {
            case .write(let path, let data, let former):
                let file = folder.appendingPathComponent(path)
                try files.createDirectory(at: file.deletingLastPathComponent())
                try files.replace(file, with: data, expecting: former)
            case .removeVersion(let name, let former):
                let contents = folder.appendingPathComponent(PackageFiles.contents(ofVersion: name))
                try files.check(contents, contains: former)
                try files.removeFolder(contents.deletingLastPathComponent())
            case .leave: break
            }
        }
    }

    /// Returns the contents of a version. Those that say the same stay, however they are spelled.
    private static func contents(_ version: ModelVersion, over former: Data?) -> Data {
        let present = former.flatMap { try? XMLModelParser(file: "").parse($0).document }
        if let former, present == version.document { return former }
        return ModelWriter(version.document).contents()
    }

    private static let markerKey = "_XCCurrentVersionName"

    /// Returns the content of the file that names the current version; nil if the package needs no such file: it
    /// has one version, or nobody has chosen the current one. A file that names it already stays as it is, and one
    /// that names another keeps what else it says.
    private static func marker(_ package: ModelPackage, over files: PackageFiles) throws -> Data? {
        let present = files.contents[PackageFiles.marker]
        let isNeeded = package.versions.count > 1 && !package.assumesCurrentVersion
        if present == nil, !isNeeded, !files.contents.isEmpty { return nil }
        let list = try? present.map { try PropertyListFile($0, path: PackageFiles.marker).root }
        var content: [String: Any] = (list ?? nil) ?? [:]
        let name = "\(package.currentVersionName).xcdatamodel"
        if let present, content[markerKey] as? String == name { return present }
        content[markerKey] = name
        return try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
    }
}
