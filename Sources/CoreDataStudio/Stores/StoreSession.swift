import CoreData
package import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
package import Foundation
import Synchronization

/// A store that stays open as long as the studio runs, and the lists that pages have of it.
///
/// It is opened for reading only, unless objects may be edited.
package final class StoreSession: Sendable {
    package let id: String
    package let url: URL
    let facts: StoreFacts
    let model: StoreModel
    let rows: StoreRows
    let events: EventLog
    let work: RunningWork
    /// The pending changes; nil for a store that is only read.
    let editor: StoreEditor?
    private let location: ReadingLocation
    private let modelFile: URL?
    private let isDatabase: Bool
    private let windows = Mutex(Windows())
    private let history: CommitNews
    /// Why the file could not be read again, so that it is told once.
    private let failure = Mutex("")

    private struct Windows {
        var byID: [String: RowWindow] = [:]
        var order: [String] = []
        var count = 0
    }

    /// The greatest number of lists that are kept: a page that goes away does not close its list.
    private static let mostWindows = 8

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - modelFile: The model, if it is not the one that the store carries.
    ///   - mayEdit: Whether its objects may be changed.
    package init(
        _ id: String, at url: URL, model modelFile: URL?, mayEdit: Bool, makesBackup: Bool = true,
        events: EventLog, work: RunningWork
    ) throws {
        let stamp = url.isFileURL ? FileStamp(path: url.path) : nil
        let opened = try OpenedStore(at: url, model: modelFile)
        self.id = id
        self.url = opened.url
        self.modelFile = modelFile
        (self.events, self.work) = (events, work)
        model = try opened.matchingModel()
        facts = opened.metadata
        isDatabase = opened.isDatabase
        location = opened.location
        let wholeFile = opened.isDatabase || !opened.url.isFileURL ? nil : opened.url
        let (place, model) = (opened.url, model)
        rows = StoreRows(
            try RowSource(opened, model, mayEdit: mayEdit), wholeFile: wholeFile, stamp: stamp
        ) {
            try RowSource(OpenedStore(at: place, model: modelFile), model, mayEdit: mayEdit)
        }
        let backend = rows.source.backend
        history = CommitNews(backend)
        let backup = makesBackup ? StoreBackup(opened.url) : nil
        editor =
            mayEdit
            ? StoreEditor(rows, backup: backup) { revision in
                events.post(
                    .edits,
                    .object([.init("store", .string(id)), .init("revision", .integer(Int64(revision)))]))
            } : nil
        if let watchable = backend as? any WatchableBackend, mayEdit || !location.isCopy {
            try? watchable.watch { [weak self] in self?.noteCommit() }
        }
    }

    /// The rows as they were read last.
    var source: RowSource { rows.source }

    package var name: String { url.storeName }

    /// Whether the pages see the store as it was when it was opened, since its log belongs to nobody.
    var isCopy: Bool { editor == nil && location.isCopy }

    /// Closes the store, and every list of it.
    package func close() {
        for window in windows.withLock({ Array($0.byID.values) }) { window.close() }
        for store in source.coordinator.persistentStores { try? source.coordinator.remove(store) }
    }

    /// Opens the store once more, for work that reads all of it.
    func reopened() throws -> OpenedStore {
        // An open copy has both of its logs, so that it is not copied again.
        let place = editor == nil && url.isFileURL ? location.url : url
        return try OpenedStore(at: place, model: modelFile)
    }

    // MARK: Commits

    /// Reads a store that is one file again if another program has replaced it, and tells the pages.
    func look() {
        do {
            let isNew = try rows.refresh()
            failure.withLock { $0 = "" }
            if isNew { noteCommit() }
        } catch {
            let text = "\(name) was replaced and cannot be read: \(ErrorText.describe(error))"
            let isNew = failure.withLock { former in
                defer { former = text }
                return former != text
            }
            guard isNew else { return }
            events.post(
                .store,
                .object([
                    .init("store", .string(id)), .init("changes", .array([])),
                    .init("failure", .string(text)),
                ]))
        }
    }

    /// Tells the pages that the store has changed, and which rows if its history says so.
    private func noteCommit() {
        for window in windows.withLock({ Array($0.byID.values) }) { window.noteCommit() }
        let changes = history.next().map { change in
            JSONValue.object([
                .init("id", .string(source.name(of: change.row))),
                .init("kind", .string("\(change.kind)")),
            ])
        }
        events.post(.store, .object([.init("store", .string(id)), .init("changes", .array(changes))]))
    }

    // MARK: Windows

    func open(_ request: WindowRequest) throws -> RowWindow {
        let name = windows.withLock { windows in
            windows.count += 1
            return "w\(windows.count)"
        }
        let window = try RowWindow(name, request, of: self)
        let closed = windows.withLock { windows in
            windows.byID[name] = window
            windows.order.append(name)
            guard windows.order.count > Self.mostWindows else { return RowWindow?.none }
            return windows.byID.removeValue(forKey: windows.order.removeFirst())
        }
        closed?.close()
        return window
    }

    func window(_ name: String) throws -> RowWindow {
        guard let window = windows.withLock({ $0.byID[name] }) else {
            throw StudioFailure(.notFound, "the list \(name) is closed: open it again")
        }
        return window
    }

    func closeWindow(_ name: String) {
        let window = windows.withLock { windows in
            windows.order.removeAll { $0 == name }
            return windows.byID.removeValue(forKey: name)
        }
        window?.close()
    }

    // MARK: Description

    /// The store for the list of documents.
    package var summary: JSONValue {
        .object([
            .init("id", .string(id)), .init("name", .string(name)), .init("path", .string(url.place)),
            .init("type", .string(facts.type)), .init("mayEdit", .boolean(editor != nil)),
            .init("isCopy", .boolean(isCopy)),
        ])
    }
}
