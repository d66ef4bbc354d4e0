import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import CoreDataValues
import Foundation

/// One object with all its values, for the panel beside the list.
struct ObjectRecord {
    let source: RowSource
    let row: ObjectReference
    let snapshot: Snapshot

    /// The greatest number of characters of a text that is shown at once.
    static let longestText = 100_000
    /// The number of members of a relationship that come with the object.
    static let firstMembers = 20
    static let mostMembers = 500

    init(_ name: String, in source: RowSource) throws {
        let named = try source.row(named: name)
        source.backend.expireReads()
        guard let snapshot = try source.backend.snapshot(for: named) else {
            throw StoreFailures.noObject(name)
        }
        (self.source, self.snapshot) = (source, snapshot)
        row = snapshot.reference
    }

    private var entity: CompiledEntity { source.model.compiled[row.entity] }

    func json() throws -> JSONValue {
        let values = try entity.slots.compactMap { slot in
            try value(of: slot).map { JSONValue.Member(slot.name, $0) }
        }
        return .object([
            .init("id", .string(source.name(of: row))), .init("entity", .string(entity.name)),
            .init("title", try source.titles(of: [row])[row].map { .string($0) } ?? .null),
            .init("version", .integer(snapshot.version)), .init("values", .object(values)),
        ])
    }

    private func value(of slot: PropertySlot) throws -> JSONValue? {
        if slot.isToMany {
            return try members(of: slot, from: 0, count: Self.firstMembers)
        }
        guard let column = slot.column else { return nil }
        if let unreadable = snapshot.unreadableValue(column) {
            return StoreCell.unreadable(unreadable.message).json
        }
        switch snapshot.value(column) {
        case .reference(let row): return try links([row]).first
        case .string(let text) where text.unicodeScalars.count > Self.longestText:
            return StoreCell.text(
                String(text.unicodeScalars.prefix(Self.longestText)), length: text.unicodeScalars.count
            ).json
        case .data(let data): return StoreCell.data(Data(data.prefix(16)), length: data.count).json
        case let value: return StoreCell.json(value)
        }
    }

    private func links(_ rows: some Sequence<ObjectReference>) throws -> JSONValue {
        let rows = Array(rows)
        let titles = try source.titles(of: rows)
        return .array(rows.map { StoreCell.link(source.name(of: $0), title: titles[$0]).json })
    }

    // MARK: Parts

    /// Returns members of a to-many relationship from a position on.
    func members(of key: String, from: Int, count: Int) throws -> JSONValue {
        guard let slot = entity.slot(named: key), slot.isToMany else {
            throw StudioFailure(.notFound, "\(entity.name) has no to-many relationship \(key)")
        }
        try MemberList.requireRange(from: from, count: count)
        return try members(of: slot, from: from, count: count)
    }

    private func members(of slot: PropertySlot, from: Int, count: Int) throws -> JSONValue {
        let list = MemberList(slot, of: row, in: source)
        return .object([
            .init("count", .integer(Int64(try list.count()))),
            .init("members", try links(list.rows(from: from, count: count))),
        ])
    }

    /// Returns the bytes of an attribute, or of the range of them that is asked for.
    func data(of key: String, range: Range<Int>?) throws -> StudioResponse {
        guard let slot = entity.slot(named: key), let column = slot.column else {
            throw StudioFailure(.notFound, "\(entity.name) has no attribute \(key)")
        }
        switch snapshot.value(column) {
        case .data(let data): return Self.response(data, key, range)
        case .string(let text): return Self.response(Data(text.utf8), key, range)
        default: throw Self.noData(key, source.name(of: row))
        }
    }

    static func noData(_ key: String, _ name: String) -> StudioFailure {
        StudioFailure(.notFound, "\(key) of \(name) has no data")
    }

    /// Returns the bytes of a value, or the range of them that is asked for.
    static func response(_ bytes: Data, _ key: String, _ range: Range<Int>?) -> StudioResponse {
        let part = range.map { bytes.dropFirst($0.lowerBound).prefix($0.count) } ?? bytes
        let isWhole = part.count == bytes.count
        let type = isWhole ? StoredFormat(bytes)?.contentType ?? .bytes : .bytes
        return StudioResponse(.bytes(Array(part), type: type, fileName: type == .bytes ? key : nil))
    }
}

extension JSONValue {
    /// The first element of an array, null for none.
    fileprivate var first: JSONValue? {
        if case .array(let elements) = self { elements.first ?? .null } else { nil }
    }
}

extension RowSource {
    /// Returns rows of an entity whose title contains a text, or the first ones if it is empty.
    func search(
        _ entity: CompiledEntity, _ text: String, from: Int = 0, _ count: Int
    ) throws -> [ObjectReference] {
        var specification = FetchSpecification(entity: entity.name, limit: count, offset: from)
        if let title = TitleAttribute.slot(of: entity) {
            specification.sort = [title.name]
            if !text.isEmpty {
                specification.predicate = "#\(title.name) CONTAINS[cd] \(Self.quoted(text))"
            }
        }
        return try TimeLimit.run { try references(specification) }
    }

    /// Returns a text as a predicate's constant.
    private static func quoted(_ text: String) -> String {
        "\""
            + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            + "\""
    }
}
