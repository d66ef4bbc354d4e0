internal import CoreData
internal import CoreDataSyncCore
public import Foundation

extension StoreSynchronizer {
    /// The issues that were not acknowledged.
    public var issues: SyncIssues {
        get async throws { try await use { $0.issues } }
    }

    /// The ID of this device, by which issues name it. Another one is taken after the server was restored, and by one of
    /// two devices that have the same.
    public var deviceID: UUID {
        get async throws { try await use { $0.ledger.header.replica.uuid } }
    }

    /// Removes issues by their numbers. Numbers of issues that are gone are ignored.
    public func acknowledge(_ numbers: [UInt64]) async throws {
        try await use { engine in
            try await engine.change { ledger in for number in numbers { _ = ledger.acknowledge(number) } }
        }
    }

    /// Decides about objects that only this store has, after a scan has found it to be an older copy: they
    /// are sent as new ones, or deleted. `SyncIssues.unknown` says how many there are.
    public func resolveUnknownObjects(_ decision: StoreDecision) async throws {
        try send(.decided(decision == .uploadAsNew ? .upload : .drop))
    }

    /// Writes the value that lost into the store again, as an edit that all devices get, and acknowledges the
    /// conflict.
    ///
    /// - Throws: `StoreSyncError.issue` if the store has no place for the value; an error of the save.
    public func restore(_ conflict: SyncConflict) async throws { try await restoreValue(of: conflict.id) }

    /// Writes a value that the server did not take into the store again, as an edit that is sent, and
    /// acknowledges the rejection.
    ///
    /// - Throws: `StoreSyncError.issue` if the store has no place for the value; an error of the save.
    public func restore(_ rejection: SyncRejection) async throws { try await restoreValue(of: rejection.id) }

    private func restoreValue(of number: UInt64) async throws {
        for blob in try await use({ $0.missingBlobs(of: number) }) {
            guard let bytes = try await download(blob) else {
                throw StoreSyncError.issue("the server does not have the value any more")
            }
            try await use { try $0.keep(bytes, as: blob) }
        }
        try await use { try await $0.restoreValue(of: number) }
    }

    /// Brings the deleted object of a bin entry back on all devices, with all that the server has of it, and
    /// acknowledges the entry. The store has the object after the next `syncNow()`.
    ///
    /// - Throws: `StoreSyncError.issue` if the object lives, or was deleted so long ago that it is forgotten.
    public func restore(_ entry: SyncBinEntry) async throws {
        let now = UInt64(exactly: max(0, (Date().timeIntervalSince1970 * 1000).rounded(.down))) ?? 0
        try await use { engine in
            try await engine.change { ledger in
                guard ledger.restore(SyncID(entry.object), milliseconds: now) else {
                    throw StoreSyncError.issue(
                        "the object \(entry.object) is not deleted, or it is forgotten")
                }
                _ = ledger.acknowledge(entry.id)
            }
        }
    }
}

extension SyncEngine {
    /// Writes the value of an issue into the store again, and acknowledges the issue.
    package mutating func restoreValue(of number: UInt64) async throws {
        let restorer = ValueRestorer(reader: reader)
        switch issue(number) {
        case .lost(let lost), .asked(let lost):
            try await restorer.write(lost.value, lost.register, of: lost.item, ledger)
        case .rejected(let change, _), .gone(let change):
            if case .count = change.edit {
                throw StoreSyncError.issue("what was added to a counter cannot be restored")
            }
            try await restorer.write(change.value, change.register, of: change.item, ledger)
        case .diverged, .missingObjects, .parked, .unknownObjects, nil:
            throw StoreSyncError.issue("there is no issue \(number) with a value")
        }
        try await change { _ = $0.acknowledge(number) }
    }

    private func issue(_ number: UInt64) -> SyncIssue? {
        zip(ledger.issueNumbers, ledger.issues).first { $0.0 == number }?.1
    }

    /// Returns the value of an issue; nil if it has none.
    func value(of number: UInt64) -> SyncValue? {
        switch issue(number) {
        case .lost(let lost), .asked(let lost): lost.value
        case .rejected(let change, _), .gone(let change): change.value
        case .diverged, .missingObjects, .parked, .unknownObjects, nil: nil
        }
    }

    /// The issues of the ledger in the names of the present model.
    package var issues: SyncIssues {
        var issues = SyncIssues()
        for (number, issue) in zip(ledger.issueNumbers, ledger.issues) {
            switch issue {
            case .lost(let lost): add(lost, number, isQuestion: false, to: &issues)
            case .asked(let lost): add(lost, number, isQuestion: true, to: &issues)
            case .rejected(let change, let reason):
                issues.rejections.append(rejection(change, number, reason))
            case .gone(let change):
                issues.rejections.append(rejection(change, number, "the object was deleted long ago"))
            case .diverged: issues.repairs.append(number)
            case .parked(let object, let entity, let reason):
                issues.parked.append(
                    SyncParkedObject(
                        id: number, entityName: reader.binding.entities[entity]?.name ?? entity,
                        object: object.uuid, reason: reason))
            case .unknownObjects(let count):
                issues.unknown.append(SyncMissingObjects(id: number, count: count))
            case .missingObjects(let count):
                issues.missing.append(SyncMissingObjects(id: number, count: count))
            }
        }
        return issues
    }

    private func add(_ lost: LostValue, _ number: UInt64, isQuestion: Bool, to issues: inout SyncIssues) {
        let entity = reader.binding.entities[lost.entity]
        let property = lost.register.map { entity?.property(of: $0) ?? $0 }
        guard let reason = SyncConflict.Reason(rawValue: lost.reason.rawValue) else {
            guard let object = lost.item.object else { return }
            issues.bin.append(
                SyncBinEntry(
                    id: number, entityName: entity?.name ?? lost.entity, object: object.uuid,
                    property: property,
                    value: value(lost.value, entity), deleted: lost.winner.time.date,
                    writer: lost.stamp.replica.uuid, winner: lost.winner.replica.uuid))
            return
        }
        issues.conflicts.append(
            SyncConflict(
                id: number, entityName: entity?.name ?? lost.entity, objectURI: uri(lost.item.object),
                property: property, value: value(lost.value, entity), reason: reason,
                written: lost.stamp.time.date, overwritten: lost.winner.time.date,
                writer: lost.stamp.replica.uuid, winner: lost.winner.replica.uuid, isQuestion: isQuestion))
    }

    private func rejection(_ change: Change, _ number: UInt64, _ reason: String) -> SyncRejection {
        let entity = reader.binding.entities[change.entity]
        return SyncRejection(
            id: number, entityName: entity?.name ?? change.entity, objectURI: uri(change.item.object),
            property: change.register.map { entity?.property(of: $0) ?? $0 },
            value: value(change.value, entity), reason: reason)
    }

    private func uri(_ id: SyncID?) -> URL? {
        guard let local = id.flatMap({ ledger.entry(.object(ledger.resolved($0)))?.local }) else {
            return nil
        }
        return reader.binding.objectID(local, in: reader.access)?.uriRepresentation()
    }

    private func value(_ value: SyncValue, _ entity: EntityBinding?) -> SyncIssueValue {
        switch value {
        case .null: .none
        case .blob(_, let size): .large(bytes: Int(clamping: size))
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let bits): .double(Double(bitPattern: bits))
        case .decimal(let value): .decimal(value.decimal)
        case .string(let text): .string(text)
        case .date(let bits): .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case .data(let bytes): .data(Data(bytes))
        case .uuid(let id): .uuid(id.uuid)
        case .uri(let text): .url(text)
        case .reference(let id): .object(uri(id))
        case .position: .place
        case .composite(let elements):
            .group(
                Dictionary(
                    elements.map { (entity?.property(of: $0.name) ?? $0.name, self.value($0.value, entity)) }
                ) { $1 })
        }
    }
}

extension HybridTime {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension EntityBinding {
    /// Returns the present name of a property by its stable name; nil for a group, and one that is gone.
    fileprivate func property(of register: String) -> String? {
        for place in registers.map(\.place) {
            switch place {
            case .attribute(let attribute) where attribute.element == register: return attribute.property
            case .group(let elements):
                if let element = elements.first(where: { $0.element == register }) { return element.property }
            case .attribute, .reference: continue
            }
        }
        for found in registers where found.name == register {
            if case .reference(let property, _) = found.place { return property }
        }
        return nil
    }
}
