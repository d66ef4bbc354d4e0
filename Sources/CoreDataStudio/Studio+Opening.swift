import CoreDataEditing
import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// Opening documents while the studio runs: files that the user opened before, and new models below the root.
extension Studio {
    /// Opens a file, and returns the address of its page: the kind of document and its ID.
    func open(_ url: URL) throws -> JSONValue {
        let kind = FileKind(url)
        let id =
            switch kind {
            case .model: try models.open(url)
            case .profile: try profiles.open(url)
            case .store, .compiledModel:
                try stores.open(
                    url, models: models.files + options.files.filter { FileKind($0) == .compiledModel })
            }
        return .object([.init("page", .string(kind.page ?? "")), .init("id", .string(id))])
    }

    /// The files that were opened last and are not open.
    var recentFiles: JSONValue {
        .array(
            unopened.compactMap { entry in
                guard let page = FileKind(entry.url).page else { return nil }
                return .object([
                    .init("id", .string(entry.id)), .init("page", .string(page)),
                    .init("name", .string(entry.url.lastPathComponent)),
                    .init("path", .string(entry.url.path)),
                ])
            })
    }

    private var unopened: [RecentFiles.Entry] {
        let open = Set((models.files + stores.files + profiles.files).map(\.standardizedFileURL.path))
        return recent.entries.filter { !open.contains($0.url.path) }
    }

    /// Opens one of the files that were opened last.
    func openRecent(_ id: String) async throws -> JSONValue {
        guard let entry = unopened.first(where: { $0.id == id }) else {
            throw StudioFailure(.notFound, "the file is open already, or not there any more")
        }
        return try await openAndNote(entry.url)
    }

    /// Makes an empty model below the root, and opens it.
    func openNewModel(_ name: String?) async throws -> JSONValue {
        if options.isReadOnly {
            throw StudioFailure(.forbidden, "the studio was started with --read-only")
        }
        let ending = ".xcdatamodeld"
        let name = name.map { $0.hasSuffix(ending) ? String($0.dropLast(ending.count)) : $0 } ?? ""
        guard name.isNameOfVersion else {
            throw StudioFailure(.refused, "\"\(name)\" is no name for a model")
        }
        let url = options.root.appendingPathComponent(name + ending)
        do {
            _ = try ModelCreation(at: url).write()
        } catch {
            throw StudioFailure(.refused, ErrorText.describe(error))
        }
        return try await openAndNote(url)
    }

    private func openAndNote(_ url: URL) async throws -> JSONValue {
        let place = try await Blocking.run { [self] in try open(url) }
        if !options.isReadOnly { recent.note([url]) }
        events.post(.documents, .null)
        return place
    }
}
