/// The time by two clocks of a device.
package struct Moment: Hashable, Sendable {
    /// Milliseconds since 1970 as people set them. They may jump.
    package var wall: UInt64
    /// Milliseconds that only rise, for timers.
    package var uptime: UInt64

    package init(wall: UInt64, uptime: UInt64) {
        self.wall = wall
        self.uptime = uptime
    }
}

/// What happens to the machine.
package enum SyncEvent: Hashable, Sendable {
    case start
    /// The store is another one than before: an older copy, or that of another device.
    case storeReplaced
    /// The app has decided about the objects of such a store that the server does not have.
    case decided(UnknownObjects)
    /// Time has passed; the machine has asked to be woken, or was woken early.
    case time
    /// The store was saved.
    case localChange
    /// The server has news.
    case poke
    case captured(request: UInt64, Capture)
    case response(token: UInt64, SyncResponse)
    /// A request got no answer.
    case failed(token: UInt64)
    /// The store has the import as unsaved changes, and names the objects that it makes.
    case prepared(batch: SyncID, created: [SyncID: LocalKey])
    /// The store was edited since the capture; nothing of the import is in it.
    case importRefused(batch: SyncID)
    /// The rules of the store or the app do not take what an import brings of some objects, and why; nothing of
    /// the import is in the store.
    case importRejected(batch: SyncID, [SyncID: String])
    case imported(batch: SyncID)
    /// Whether the store has the import of an earlier run.
    case found(batch: SyncID, Bool)
}

/// What the machine wants done. Each is answered by an event, or by none, after which a timer repeats it.
package enum SyncEffect: Hashable, Sendable {
    /// Read what has changed since a position of the history, or all if it is nil or too old; at most so many
    /// objects at a time, or all at once if that is nil.
    case capture(request: UInt64, since: UInt64?, limit: Int?)
    /// Read the next portion. One that begins anew, since the store was saved meanwhile, is a first one.
    case captureMore(request: UInt64)
    case send(token: UInt64, SyncRequest)
    case prepareImport(batch: SyncID, ImportPlan)
    case commitImport(batch: SyncID)
    case findImport(batch: SyncID)
    /// Send `time` then.
    case wake(at: UInt64)
    /// Tell the app of an issue that is in the ledger now.
    case report(SyncIssue)
}

/// What an app should know.
package enum SyncIssue: Hashable, Sendable {
    /// A value lost, on this device or another one.
    case lost(LostValue)
    /// A value of this device lost in a register whose model says that the app is asked. The store shows the
    /// winner already, so that an edit by the app is one on top of it.
    case asked(LostValue)
    /// The server did not take a change; with its value.
    case rejected(Change, String)
    /// The object of a change, or of what this device had, was deleted long ago.
    case gone(Change)
    /// What the device has differed from what the server has, and was repaired.
    case diverged
    /// The store does not take what was received of an object. It is tried again after each pull; everything
    /// else goes on.
    case parked(SyncID, entity: String, reason: String)
    /// The store is an older copy, which misses so many objects. They are not deleted; the store gets them again.
    case missingObjects(Int)
    /// So many objects of a store that was replaced are none of the server's. Nothing is synced before the app
    /// has decided about them.
    case unknownObjects(Int)
}
