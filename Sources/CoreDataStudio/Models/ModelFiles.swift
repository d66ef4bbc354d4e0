import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// The files of a model as they were read last: its own, and the places of its entities beside them.
struct ModelFiles: Sendable {
    let url: URL
    private(set) var files: PackageFiles
    /// The model that the files contain.
    private(set) var package: ModelPackage
    private(set) var positions: GraphPositionsFile
    private var traces: [String: FileTrace]

    init(_ url: URL) throws {
        self.url = url
        traces = Self.traces(of: url)
        files = try PackageFiles.read(at: url)
        package = try ModelPackage.read(at: url)
        positions = Self.positions(at: url) ?? GraphPositionsFile()
    }

    /// Returns the files as they are now; nil if they are what they were.
    func changed() throws -> ModelFiles? {
        guard Self.traces(of: url) != traces else { return nil }
        var new = try ModelFiles(url)
        // A program that is in the middle of writing it has moved nothing.
        if new.positions.versions.isEmpty, traces[GraphPositionsFile.name] != nil,
            new.traces[GraphPositionsFile.name] != nil, Self.positions(at: url) == nil
        {
            new.positions = positions
        }
        return new
    }

    /// Returns the differences to the files, for a save of a model.
    func save(_ model: ModelPackage) throws -> PackageSave { try PackageSave(model, over: files) }

    // MARK: Places of entities

    private static func positions(at url: URL) -> GraphPositionsFile? {
        (try? ModelFileSystem().read(positionsFile(of: url))).flatMap(GraphPositionsFile.init)
    }

    private static func positionsFile(of url: URL) -> URL {
        folder(of: url).appendingPathComponent(GraphPositionsFile.name)
    }

    /// Returns the package of a model that may be named by its `contents`.
    static func folder(of url: URL) -> URL {
        url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    }

    /// Writes the places of entities of some versions, if they differ from those in the file. What the file
    /// says of other versions stays.
    ///
    /// - Returns: Whether the file was written.
    func save(_ places: [String: [String: GraphPoint]], removing gone: [String]) throws -> Bool {
        let file = Self.positionsFile(of: url)
        let files = ModelFileSystem()
        let former = files.exists(file) ? try files.read(file) : nil
        var new = former.flatMap(GraphPositionsFile.init) ?? GraphPositionsFile()
        for name in gone { new.versions[name] = nil }
        for (name, entities) in places { new.versions[name] = entities.isEmpty ? nil : entities }
        if former == nil, new.versions.isEmpty { return false }
        guard new.data != former else { return false }
        try files.replace(file, with: new.data, expecting: former)
        return true
    }

    // MARK: Traces

    /// The marks by which a file is known to have been written, without being read.
    private struct FileTrace: Sendable, Hashable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    private static func traces(of url: URL) -> [String: FileTrace] {
        let folder = folder(of: url)
        var paths = ["contents", PackageFiles.marker, GraphPositionsFile.name]
        if folder.pathExtension == "xcdatamodeld" {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            paths += names.filter { $0.hasSuffix(".xcdatamodel") }.map { "\($0)/contents" }
        }
        let traces = paths.map { ($0, FileTrace(folder.appendingPathComponent($0).path)) }
        return Dictionary(traces) { first, _ in first }.compactMapValues { $0 }
    }
}
