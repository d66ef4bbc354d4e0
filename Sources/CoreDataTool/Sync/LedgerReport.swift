import CoreData
package import CoreDataJSON
import CoreDataSync
import CoreDataSyncCore
package import Foundation
import Synchronization

/// What the ledger of a synced store has, as it is at one moment; the app may run meanwhile.
package struct LedgerReport: Sendable {
    private let url: URL
    private let ledger: TrackedLedger

    /// Reads the ledger of a store.
    ///
    /// - Throws: `ToolError` for a store that was never synced, and a damaged ledger.
    package init(of store: URL) throws {
        url = try Self.ledger(of: store)
        do {
            let location = try ReadingLocation(for: url)
            let rows = try withExtendedLifetime(location) { try LedgerFile.rows(at: location.url) }
            guard let ledger = try TrackedLedger(reading: rows) else {
                throw ToolError("\(url.place): the ledger is empty: the store was not synced yet")
            }
            self.ledger = ledger
        } catch let error as WireError {
            throw ToolError("\(url.place): the ledger is damaged: \(error.description)")
        }
    }

    private static func ledger(of store: URL) throws -> URL {
        let url = LedgerFile.url(beside: store)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ToolError("\(store.place) is not synced: there is no \(url.lastPathComponent) beside it")
        }
        return url
    }

    /// Removes the ledger of a store, and the large values on their way.
    ///
    /// - Throws: `ToolError` for a store that was never synced, and while a program syncs it.
    package static func removeLedger(of store: URL) throws {
        do {
            try LedgerFile.remove(at: try ledger(of: store))
        } catch let error as StoreSyncError {
            throw ToolError(error.description)
        }
    }

    // MARK: Status

    /// What the store waits for.
    private var state: String {
        let header = ledger.header
        if let zone = ledger[.otherZone] {
            return "the app leads to another zone, \(String(decoding: zone, as: UTF8.self))"
        }
        if header.isForeign, header.unknown > 0, header.decision == nil {
            return "the app has to decide about \(counted(header.unknown, "object")) that only the store has"
        }
        if header.isForeign { return "the store's objects are to be found among the server's" }
        if header.snapshot != nil { return "the zone is being read for the first time" }
        if header.isOutdated || header.needsReconcile { return "all is to be compared with the server" }
        if !header.frozen.isEmpty { return "a push was sent and not answered" }
        if !ledger.pending.isEmpty { return "edits wait to be sent" }
        if !ledger.inbox.isEmpty { return "something was received and not imported" }
        return "nothing waits"
    }

    private var facts: [(name: String, value: JSONValue)] {
        let header = ledger.header
        let objects = ledger.keys.count { ledger.entry($0)?.local != nil }
        let zone = ledger[.zone].map { String(decoding: $0, as: UTF8.self) }
        func count(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: number)) }
        return [
            ("ledger", .string(url.path)), ("zone", zone.map { .string($0) } ?? .null),
            ("device", .string(header.replica.description)), ("state", .string(state)),
            ("objects", count(objects)),
            ("pending", count(ledger.pending.count + header.frozen.count)),
            ("received", count(ledger.inbox.items.count)), ("parked", count(header.parked.count)),
            ("issues", count(ledger.issues.count)), ("epoch", count(header.epoch)),
            ("sequence", count(header.cursor.complete)),
        ]
    }

    package var status: String {
        var table = TextTable([("", .left), ("", .left)])
        for (name, value) in facts {
            table.append([name.capitalized, value == .null ? "-" : value.string ?? value.line])
        }
        return table.lines.joined(separator: "\n")
    }

    package var statusJSON: JSONValue { .object(facts.map { .init($0.name, $0.value) }) }

    // MARK: Comparison

    /// Returns how a store differs from what the ledger knows of it, by the store's model.
    ///
    /// - Throws: `ToolError` for a store that is not the ledger's.
    package func comparison(with store: OpenedStore) throws -> LedgerComparison {
        let document = PlainModel.document(from: try store.matchingModel().document, decoding: true)
        let coordinator = try store.coordinator(document)
        let end = DispatchSemaphore(value: 0)
        let result = Mutex(Result<[StoreDifference], any Error>.success([]))
        Task.detached { [ledger] in
            do {
                let found = try await ledger.differences(of: coordinator.persistentStores[0], in: coordinator)
                result.withLock { $0 = .success(found) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            end.signal()
        }
        end.wait()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        do {
            return LedgerComparison(differences: try result.withLock { try $0.get() })
        } catch let error as StoreSyncError {
            throw ToolError(error.description)
        }
    }

    // MARK: Edits and issues

    /// The edits that the server has not taken, in the order in which they are sent.
    package var pending: [LedgerLine] {
        (ledger.header.frozen + ledger.pending.changes).map {
            line($0.change, number: $0.change.number, "edit", nil)
        }
    }

    /// The issues that the app has not acknowledged, in the order in which they came.
    package var issues: [LedgerLine] {
        zip(ledger.issueNumbers, ledger.issues).map { number, issue in
            switch issue {
            case .lost(let lost):
                line(lost, number, lost.reason == .deleted || lost.reason == .orphan ? "bin" : "conflict")
            case .asked(let lost): line(lost, number, "question")
            case .rejected(let change, let reason): line(change, number: number, "rejected", reason)
            case .gone(let change):
                line(change, number: number, "rejected", "the object was deleted long ago")
            case .diverged:
                LedgerLine(number: number, kind: "repair", reason: "the store differed from the server")
            case .parked(let id, let entity, let reason):
                LedgerLine(number: number, kind: "parked", object: name(.object(id), entity), reason: reason)
            case .missingObjects(let count):
                LedgerLine(
                    number: number, kind: "missing", reason: "a scan did not find \(counted(count, "object"))"
                )
            case .unknownObjects(let count):
                LedgerLine(
                    number: number, kind: "unknown", reason: "only the store has \(counted(count, "object"))")
            }
        }
    }

    /// Returns an object as it is called in the store, or by its ID on all devices.
    private func name(_ item: ItemKey, _ entity: String) -> String {
        switch item {
        case .object(let id): ledger.entry(item)?.local ?? "\(entity)/\(id)"
        case .pair(let relationship, let first, let second):
            "\(relationship) of \([first, second].map { ledger.entry(.object($0))?.local ?? "\($0)" }.joined(separator: ", "))"
        }
    }

    private func line(_ change: Change, number: UInt64, _ kind: String, _ reason: String?) -> LedgerLine {
        LedgerLine(
            number: number, kind: kind, object: name(change.item, change.entity), property: change.register,
            value: change.value.exported, written: change.stamp.time.milliseconds, reason: reason)
    }

    private func line(_ lost: LostValue, _ number: UInt64, _ kind: String) -> LedgerLine {
        LedgerLine(
            number: number, kind: kind, object: name(lost.item, lost.entity), property: lost.register,
            value: lost.value.exported, written: lost.stamp.time.milliseconds,
            replaced: lost.winner.time.milliseconds, reason: lost.reason.rawValue)
    }
}
