package import CoreData
package import CoreDataSyncCore

/// An object of a store that is not as the ledger knows it.
package struct StoreDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The ledger does not know it.
        case unknown
        /// The store does not have it any more.
        case gone
        /// It has other values or relationships.
        case changed
    }

    package let local: LocalKey
    package let kind: Kind
    /// Whether the next sync finds it by itself: the history tells of it, or all is to be read.
    package var isExpected = false
}

extension TrackedLedger {
    /// Returns how a store, which may be read-only, differs from what the ledger knows of it. No synchronizer is needed, and
    /// nothing is written. Takes as long as reading all objects.
    ///
    /// - Throws: `StoreSyncError` for a store that cannot be synced, or is another one than the ledger's.
    package func differences(
        of store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator
    ) async throws -> [StoreDifference] {
        let access = try StoreAccess(reading: store, in: coordinator)
        let binding = try ModelBinding(access.entities)
        guard let url = store.url else { throw StoreSyncError.store("it has no file") }
        let blobs = BlobFolder(beside: LedgerFile.url(beside: url))
        let reader = StoreReader(access: access, binding: binding, blobs: blobs)
        if let doubt = SyncEngine.doubt(self, reader) { throw StoreSyncError.needsDecision(doubt) }
        let found = differences(from: try await reader.read(since: nil), binding.schema)
        guard header.token != nil, let position = try self[.position].map({ try HistoryPosition(bytes: $0) })
        else { return found.map { StoreDifference(local: $0.local, kind: $0.kind, isExpected: true) } }
        let news = try await reader.read(since: position)
        let expected = Set(news.rows.map(\.local)).union(news.deleted.keys)
        return found.map { difference in
            StoreDifference(
                local: difference.local, kind: difference.kind,
                isExpected: news.isWhole || expected.contains(difference.local))
        }
    }

    /// Returns how the objects of a store, all of which were read, differ from what the ledger knows.
    func differences(from capture: Capture, _ schema: SyncSchema) -> [StoreDifference] {
        let present = Set(capture.rows.map(\.local))
        load(WorkingSet(names: present))
        let paired = capture.rows.lazy.filter { !$0.partners.isEmpty }.compactMap { id(of: $0.local) }
        load(WorkingSet(pairs: Set(paired)))
        let gone = keys.compactMap { entry($0)?.local }.filter { !present.contains($0) }
        let others = capture.rows.filter { !shows($0, schema) }.map { row in
            StoreDifference(local: row.local, kind: id(of: row.local) == nil ? .unknown : .changed)
        }
        return others + gone.sorted().map { StoreDifference(local: $0, kind: .gone) }
    }

    /// Whether the hashes of a ledger are those of an object, and its partners those that it has.
    package func shows(_ row: CapturedRow, _ schema: SyncSchema) -> Bool {
        guard let id = id(of: row.local), let entry = entry(.object(id)),
            let entity = schema.entities[row.entity]
        else { return false }
        for register in entity.values {
            let present: SyncValue? =
                switch row.values[register.name] {
                case nil: .null
                case .plain(let plain): plain
                case .object(let local): self.id(of: local).map { .reference($0) }
                }
            let shown = entry.registers[register.name]?.shown ?? SyncValue.null.stableHash
            if present?.stableHash != shown { return false }
        }
        let pairs = row.partners.isEmpty ? [] : self.pairs(of: id).filter { self.entry($0)?.isShown ?? false }
        return row.partners.allSatisfy { side, partners in
            Set(partners.map { self.id(of: $0) }) == Set(pairs.compactMap { $0.partner(of: id, side) })
        }
    }
}
