import CoreDataStore
import Foundation
import Synchronization

@testable import CoreData

/// Counts a coordinator's announcements.
final class Ear: Sendable {
    private struct State {
        var count = 0
        var token: NSPersistentHistoryToken?
        var uuid: String?
        var url: URL?
    }

    private let state = Mutex(State())
    /// Set at the end of the initializer, and read by the deinitializer alone.
    nonisolated(unsafe) private var observer: (any NSObjectProtocol)?

    init(_ coordinator: NSPersistentStoreCoordinator) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [weak self] notification in
            let info = notification.userInfo ?? [:]
            let token = info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            let (uuid, url) = (info[NSStoreUUIDKey] as? String, info[NSPersistentStoreURLKey] as? URL)
            self?.state.withLock { state in
                state.count += 1
                (state.token, state.uuid, state.url) = (token, uuid, url)
            }
        }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }

    var count: Int { state.withLock { $0.count } }
    var token: NSPersistentHistoryToken? { state.withLock { $0.token } }
    var uuid: String? { state.withLock { $0.uuid } }
    var url: URL? { state.withLock { $0.url } }

    /// Returns whether the last transaction of a token is announced.
    func hears(_ token: NSPersistentHistoryToken) -> Bool {
        hears { $0.token?.hasSameEnd(as: token) ?? false }
    }

    /// Returns whether it happens within a time far longer than any machine needs.
    func hears(_ condition: (Ear) -> Bool) -> Bool {
        let latest = Date(timeIntervalSinceNow: 120)
        while !condition(self) {
            if latest.timeIntervalSinceNow < 0 { return false }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return true
    }
}

extension NSPersistentHistoryToken {
    /// Returns whether the last transaction of each store is the same. Tokens of one moment may differ otherwise,
    /// by the transactions of other tests that were in progress.
    func hasSameEnd(as other: NSPersistentHistoryToken) -> Bool {
        marks.mapValues(\.number) == other.marks.mapValues(\.number)
    }
}
