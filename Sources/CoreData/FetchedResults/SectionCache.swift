import CoreDataModelFormat
import Foundation

/// The sections of results in a file: names and counts, so that a fetch of the same request from the same
/// store need not find the name of each object's section.
///
/// A file is used only if it was made for an equal request, entity and key path, and if the files of the
/// stores have the size and modification time that they had then.
struct SectionCache {
    private struct File: Codable {
        let key: Key
        let sections: [Section]
    }

    private struct Section: Codable {
        let name: String
        let count: Int
    }

    private struct Key: Codable, Equatable {
        let entity: String
        let versionHash: Data
        let request: String
        let sectionKeyPath: String
        let stores: [StoreStamp]
    }

    private let url: URL
    private let key: Key
    private let storeFiles: [URL]

    /// Makes the cache of a name. It is nil if a file could be wrong: with unsaved changes, with closures or
    /// objects in the request, and for stores without a file.
    ///
    /// Make it before the fetch, so that a later change of the store does not go unnoticed.
    init?(named name: String, for results: LiveResults) {
        let (context, request) = (results.context, results.request)
        guard let sectionKeyPath = results.sectionKeyPath, !context.tracker.hasChanges,
            let frozen = context.coordinator?.frozen, let entityName = request.resolvedEntityName,
            let entity = frozen.compiled.indexByName[entityName]
        else { return nil }
        let text = request.printed
        guard !text.contains("0x"), !text.contains("comparator") else { return nil }
        storeFiles = context.requiredCoordinator.persistentStores.compactMap(\.url)
        let stamps = storeFiles.compactMap(StoreStamp.init)
        guard stamps.count == context.requiredCoordinator.persistentStores.count else { return nil }
        url = Self.file(named: name)
        key = Key(
            entity: entityName, versionHash: frozen.runtime(entity).entity.versionHash, request: text,
            sectionKeyPath: sectionKeyPath, stores: stamps)
    }

    /// Returns the objects in the sections of the file; nil if there is no usable file.
    func sections(of objects: [NSObject]) -> [ResultList<NSObject>.Section]? {
        guard let data = try? Data(contentsOf: url),
            let file = try? PropertyListDecoder().decode(File.self, from: data), file.key == key,
            storeFiles.compactMap(StoreStamp.init) == key.stores,
            file.sections.reduce(0, { $0 + $1.count }) == objects.count
        else { return nil }
        var start = 0
        return file.sections.map { section in
            defer { start += section.count }
            return .init(name: section.name, elements: Array(objects[start..<start + section.count]))
        }
    }

    /// Writes the sections.
    ///
    /// If that fails, the next fetch finds no file and names the sections itself.
    func keep(_ sections: [ResultList<NSObject>.Section]) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let file = File(
            key: key, sections: sections.map { Section(name: $0.name, count: $0.elements.count) })
        guard let data = try? encoder.encode(file) else { return }
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try? data.write(to: url, options: .atomic)
    }

    // MARK: Files

    /// The folder of the program in `$XDG_CACHE_HOME`, or else in `~/.cache`.
    private static var folder: URL {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_CACHE_HOME"].flatMap {
            $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil
        }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache"))
            .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
            .appendingPathComponent("CoreDataSections", isDirectory: true)
    }

    private static func file(named name: String) -> URL {
        let safe = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
        return folder.appendingPathComponent(safe + ".plist")
    }

    static func delete(named name: String?) {
        try? FileManager.default.removeItem(at: name.map(file) ?? folder)
    }
}

/// The properties that tell two states of a store's files apart without opening them.
struct StoreStamp: Codable, Equatable {
    private struct FileStamp: Codable, Equatable {
        let size: Int
        let changed: Date
    }

    private let path: String
    private let file: FileStamp
    /// The stamp of the write-ahead log; nil if nothing is in it.
    private let log: FileStamp?

    /// Reads the stamp of a file; nil if the file is not there.
    init?(_ url: URL) {
        guard let file = Self.stamp(url.path) else { return nil }
        path = url.path
        self.file = file
        log = Self.stamp(url.path + "-wal").flatMap { $0.size == 0 ? nil : $0 }
    }

    private static func stamp(_ path: String) -> FileStamp? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = attributes[.size] as? Int, let changed = attributes[.modificationDate] as? Date
        else { return nil }
        return FileStamp(size: size, changed: changed)
    }
}
