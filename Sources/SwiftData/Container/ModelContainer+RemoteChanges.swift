public import Foundation
import CoreData
import Synchronization

extension ModelContainer {
    /// Posted with a container as its object, on any thread, soon after this or another program has saved to one
    /// of its stores in files and databases. The history of the store says what was saved.
    ///
    /// Contexts of the container take over by themselves what others save, and `HistoryObserver` counts it.
    public static let remoteChange = Notification.Name("SwiftData.ModelContainer.remoteChange")

    /// Posts `remoteChange` for what the coordinator announces, as long as the container lives.
    func announceRemoteChanges() {
        let observation = NotificationObservation(.NSPersistentStoreRemoteChange, of: coordinator) {
            [weak self] _ in
            if let self { NotificationCenter.default.post(name: Self.remoteChange, object: self) }
        }
        remoteChanges.withLock { $0 = observation }
    }
}
