package import CoreData
package import CoreDataSyncCore
internal import Foundation

extension SyncEngine {
    /// Opens the ledger of a store, and makes it if the store was never synced.
    ///
    /// - Throws: `StoreSyncError`, or an error of a store.
    package static func open(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, ledger: LedgerFile,
        decision: StoreDecision? = nil, settings: SyncMachine<TrackedLedger>.Settings,
        random: any RandomNumberGenerator & Sendable
    ) async throws -> SyncEngine {
        let access = try StoreAccess(store, in: coordinator)
        return try await open(
            access, try ModelBinding(access.entities), ledger, decision: decision, settings: settings,
            random: random)
    }

    /// The key of the ledger's identifier in the metadata of the app's store.
    private static let metadataKey = "OpenCoreDataSyncLedger"

    /// Opens the ledger of a store, and makes it if the store was never synced.
    ///
    /// - Parameter decision: What the app has decided about a store that does not fit its ledger. The ledger
    ///   forgets its objects then; edits that wait and issues stay. If the way leads to another zone, nothing of the
    ///   ledger stays, since it is about the former one.
    /// - Throws: `StoreSyncError`, or an error of a store.
    static func open(
        _ access: StoreAccess, _ binding: ModelBinding, _ file: LedgerFile, decision: StoreDecision? = nil,
        settings: SyncMachine<TrackedLedger>.Settings, random: any RandomNumberGenerator & Sendable
    ) async throws -> SyncEngine {
        let reader = StoreReader(access: access, binding: binding, blobs: file.blobs)
        var random = random
        let replica = SyncID(random: &random)
        let known = try await read(file, decision)
        if decision == nil {
            if let known {
                if let doubt = doubt(known, reader) { throw StoreSyncError.needsDecision(doubt) }
            } else if access.coordinator.metadata(for: access.store)[metadataKey] != nil {
                throw StoreSyncError.needsDecision(.ledgerLost)
            }
        }
        var isReplaced = decision != nil
        if let known, !isReplaced { isReplaced = try await self.isReplaced(known, reader) }
        let ledger = known ?? TrackedLedger(replica: replica, in: file)
        var engine = SyncEngine(ledger, file, reader, settings, random)
        try await engine.change { ledger in
            if isReplaced { ledger.forgetStore() } else { follow(access.keyMoves, &ledger) }
            ledger.keyMoveCount = access.keyMoves.count
            if let decision {
                ledger.header.decision = decision == .uploadAsNew ? .upload : .drop
                ledger[.identifier] = nil
            }
            if binding.hasOtherProperties(than: ledger[.properties]) { ledger.readAgain() }
            ledger[.roots] = binding.rootNames
            ledger[.properties] = binding.propertyNames
            ledger[.store] = Array(access.identifier.utf8)
            ledger[.identifier] = ledger[.identifier] ?? replica.bytes
        }
        let identifier = engine.ledger[.identifier].map { Data($0) }
        access.coordinator.setMetadata(metadata(access, ledger: identifier), for: access.store)
        return engine
    }

    /// Reads a ledger; nil for none, and for one that is damaged or is about another zone, which is erased if the
    /// app has decided to go on.
    private static func read(_ file: LedgerFile, _ decision: StoreDecision?) async throws -> TrackedLedger? {
        do {
            let ledger = try await TrackedLedger(in: file)
            guard decision != nil, ledger?[.otherZone] != nil else { return ledger }
            try await file.erase()
            return nil
        } catch let error as WireError {
            guard decision != nil else { throw StoreSyncError.ledger(error.description) }
            try await file.erase()
            return nil
        }
    }

    private static func metadata(_ access: StoreAccess, ledger: Data?) -> [String: Any] {
        var metadata = access.coordinator.metadata(for: access.store)
        metadata[metadataKey] = ledger
        return metadata
    }

    /// Returns why a ledger is not that of the store; nil if it is.
    static func doubt(_ ledger: TrackedLedger, _ reader: StoreReader) -> StoreDoubt? {
        let access = reader.access
        guard ledger[.store] == Array(access.identifier.utf8) else { return .otherStore }
        let named = access.coordinator.metadata(for: access.store)[metadataKey] as? Data
        return named.map { Array($0) != ledger[.identifier] } ?? false ? .otherStore : nil
    }

    /// Takes note of the keys that migrations have changed since the ledger was open.
    private static func follow(_ moves: [[String: Int64]], _ ledger: inout TrackedLedger) {
        for offsets in moves.dropFirst(ledger.keyMoveCount) {
            ledger.moveObjects { ModelBinding.newName($0, offsets) }
        }
    }

    /// Whether the objects of the store may have other IDs than the ledger knows: it is an older copy, it was
    /// migrated by a copy, which here is noted in its metadata and elsewhere takes what is noted there, or entities
    /// have another root and the store does not tell which keys have changed.
    ///
    /// Then the ledger forgets them, and finds them among the server's; edits that wait are sent all the
    /// same.
    private static func isReplaced(_ ledger: TrackedLedger, _ reader: StoreReader) async throws -> Bool {
        let access = reader.access
        guard ledger.header.token != nil else { return false }
        if access.coordinator.metadata(for: access.store)[metadataKey] == nil { return true }
        let moves = access.keyMoves.dropFirst(ledger.keyMoveCount)
        if moves.contains(where: \.isEmpty) { return true }
        if moves.isEmpty, let roots = ledger[.roots], reader.binding.hasOtherRoots(than: roots) {
            return true
        }
        guard let position = try ledger[.position].map({ try HistoryPosition(bytes: $0) }) else {
            return false
        }
        return try await reader.isOlderCopy(position)
    }
}

extension TrackedLedger {
    /// How many of the migrations that have changed keys the ledger has followed.
    fileprivate var keyMoveCount: Int {
        get { self[.keyMoves].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }
        set { self[.keyMoves] = Array("\(newValue)".utf8) }
    }
}

extension NSManagedObject {
    /// Takes all related objects away, so that no delete rule has anything to do.
    func removeRelationships(_ entity: EntityBinding) {
        for relationship in entity.relationships {
            if !relationship.isToMany {
                if primitive(relationship.property) != nil { setValue(nil, forKey: relationship.property) }
            } else if relationship.isOrdered {
                setValue(NSOrderedSet(), forKey: relationship.property)
            } else {
                setValue(NSSet(), forKey: relationship.property)
            }
        }
    }
}
