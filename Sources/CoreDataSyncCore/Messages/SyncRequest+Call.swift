import Foundation

/// A request as it goes over HTTP: its verb is the last part of the path, what it asks for is the query or
/// the body.
package struct SyncCall: Hashable, Sendable {
    package var verb: String
    package var query: [String: String] = [:]
    /// Nil for a request that is read by GET.
    package var body: WireValue?

    package init(verb: String, query: [String: String] = [:], body: WireValue? = nil) {
        self.verb = verb
        self.query = query
        self.body = body
    }
}

extension SyncRequest {
    package var call: SyncCall {
        switch self {
        case .push: SyncCall(verb: "push", body: wire)
        case .reconcile: SyncCall(verb: "reconcile", body: wire)
        case .task: SyncCall(verb: "task", body: wire)
        case .pull(let pull):
            SyncCall(
                verb: "changes",
                query: [
                    "epoch": String(pull.epoch), "since": pull.cursor.text, "limit": String(pull.limit),
                ])
        case .snapshot(let snapshot):
            SyncCall(
                verb: "snapshot",
                query: ["epoch": String(snapshot.epoch), "limit": String(snapshot.limit)]
                    .merging(snapshot.after.map { ["after": $0.text] } ?? [:]) { $1 })
        }
    }

    /// Reads a request; nil if there is no such verb.
    package init?(_ call: SyncCall) throws(WireError) {
        switch call.verb {
        case "push", "reconcile", "task":
            self = try SyncRequest(wire: call.body ?? .null)
            guard self.call.verb == call.verb else { throw WireError("the body is another request") }
        case "changes":
            guard let cursor = Cursor(text: call.query["since"] ?? "0") else {
                throw WireError("since is no place in the changes")
            }
            self = .pull(
                PullRequest(
                    epoch: try call.number("epoch"), cursor: cursor,
                    limit: Int(clamping: try call.number("limit", standard: 1000))))
        case "snapshot":
            var after: ItemKey?
            if let text = call.query["after"] {
                guard let key = ItemKey(text: text) else { throw WireError("after is no item") }
                after = key
            }
            self = .snapshot(
                SnapshotRequest(
                    epoch: try call.number("epoch"), after: after,
                    limit: Int(clamping: try call.number("limit", standard: 1000))))
        default: return nil
        }
    }
}

extension SyncCall {
    /// Returns a number of the query.
    package func number(_ name: String, standard: UInt64? = nil) throws(WireError) -> UInt64 {
        guard let text = query[name] else {
            if let standard { return standard }
            throw WireError("\(name) is missing")
        }
        guard let number = UInt64(text) else { throw WireError("\(name) is no number") }
        return number
    }
}

extension ItemKey {
    /// The key in letters and digits.
    package var text: String { ordered.map { String(format: "%02x", $0) }.joined() }

    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.count <= 4096 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.digit(digits[index]), let low = Self.digit(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(ordered: bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension Cursor {
    /// A number, or for a place on the way to the head two numbers and an item with dots between.
    package var text: String {
        guard sequence != complete || item != nil else { return String(complete) }
        return "\(complete).\(sequence)" + (item.map { "." + $0.text } ?? "")
    }

    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), let complete = UInt64(parts[0]) else { return nil }
        self.init(complete: complete)
        if parts.count > 1 {
            guard let sequence = UInt64(parts[1]) else { return nil }
            self.sequence = sequence
        }
        if parts.count > 2 {
            guard let item = ItemKey(text: parts[2]) else { return nil }
            self.item = item
        }
    }
}
