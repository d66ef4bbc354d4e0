import CoreDataStore
import Foundation
import Synchronization

extension NSPersistentStoreCoordinator {
    /// Posts `NSPersistentStoreRemoteChange` for every commit to a store, by any coordinator or process, if
    /// the store was added with the option for it.
    ///
    /// It stops when the store is removed or the coordinator is freed.
    final func announceChanges(of handle: StoreHandle) throws {
        guard handle.store.options.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) else {
            return
        }
        try watch(handle)
    }

    /// Posts `NSPersistentStoreRemoteChange` for commits to the present stores from now on, as far as they
    /// can be watched.
    package final func watchStores() {
        for handle in handles { try? watch(handle) }
    }

    /// Watches a store for commits of anybody, unless it is watched already.
    final func watch(_ handle: StoreHandle) throws {
        guard let backend = handle.backend as? any WatchableBackend,
            !handle.isWatched.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        do {
            try watch(handle, by: backend)
        } catch {
            handle.isWatched.store(false, ordering: .releasing)
            throw error
        }
    }

    private final func watch(_ handle: StoreHandle, by backend: any WatchableBackend) throws {
        let history = (backend as? any HistoryBackend).flatMap { $0.keepsHistory ? $0 : nil }
        let seen = Mutex(try history?.historyExtent().last)
        try backend.watch { [link, storeLink = handle.store.link, weak history] in
            guard let self = link.target, let store = storeLink.target else { return }
            self.takeOverForeignCommits(to: store)
            var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: store.identifier!]
            userInfo[NSPersistentStoreURLKey] = store.url
            if let history {
                guard let last = try? history.historyExtent().last,
                    let former = seen.withLock({ seen in
                        defer { seen = last }
                        return seen
                    }), former != last
                else { return }
                // A mark also changes when a transaction that was in progress ends without a history.
                if former.number == last.number {
                    let query = HistoryQuery(start: .mark(former), includesChanges: false)
                    if (try? history.countHistory(query)) == 0 { return }
                }
                userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([store.identifier: last])
            }
            NotificationCenter.default.announce(.NSPersistentStoreRemoteChange, of: self, userInfo)
        }
    }
}
