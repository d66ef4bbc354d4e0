package import CoreDataJSON
import CoreDataSQL
import Foundation

/// A summary as text for people and as JSON for programs.
package struct SummaryReport {
    private let summary: StoreSummary
    private let health: [String]?

    /// Makes a report.
    ///
    /// - Parameter health: The findings of a check, one line for each; nil if there was no check.
    package init(_ summary: StoreSummary, health: [String]?) {
        self.summary = summary
        self.health = health
    }

    // MARK: Text

    /// Returns the report as text.
    ///
    /// - Parameter showsHashes: Whether to show the version hash of each entity.
    package func text(showsHashes: Bool = false) -> String {
        let sections = [facts, entities, showsHashes ? hashes : [], others]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var facts: [String] {
        var table = TextTable([("", .left), ("", .left)])
        for (name, value) in factList { table.append([name, value]) }
        return table.lines
    }

    private var factList: [(String, String)] {
        let metadata = summary.metadata
        var facts = [("Store", summary.place), ("Type", metadata.type), ("UUID", metadata.uuid)]
        if let version = metadata.frameworkVersion { facts.append(("Framework", String(version))) }
        facts.append(("Size", sizeText))
        switch summary.database?.medium {
        case .file(let pageSize, _, let journalMode):
            facts.append(("Journal", "\(journalMode), pages of \(pageSize) bytes"))
        case .server(let version, let schema, _):
            facts.append(("Server", "PostgreSQL \(version), schema \(schema)"))
        case nil: break
        }
        if let file = summary.file, file.externalFileCount > 0 {
            facts.append(
                ("Big values", "\(file.externalFileCount) files, \(ByteCount.text(file.externalSize))"))
        }
        facts.append(("Model", modelText))
        let counts = summary.entities.compactMap(\.rowCount)
        if !counts.isEmpty { facts.append(("Rows", "\(counts.reduce(0, +))")) }
        if let database = summary.database {
            facts.append(("Schema", "\(database.indexCount) indexes, \(database.triggerCount) triggers"))
            facts.append(("History", historyText))
        }
        if let health {
            facts.append(("Health", health.first ?? "no problem found"))
            facts += health.dropFirst().map { ("", $0) }
        }
        return facts
    }

    private var sizeText: String {
        var text = ByteCount.text(size)
        if let file = summary.file, file.logSize > 0 {
            text += ", and a log of \(ByteCount.text(file.logSize))"
        }
        if case .file(let pageSize, let freePageCount, _) = summary.database?.medium, freePageCount > 0 {
            text += ", \(ByteCount.text(freePageCount * pageSize)) of it free"
        }
        return text
    }

    /// The size of the file, or of the tables and indexes on a server, in bytes.
    private var size: Int64 {
        if case .server(_, _, let size) = summary.database?.medium { size } else { summary.file?.size ?? 0 }
    }

    private var modelText: String {
        let identifiers = summary.modelIdentifiers.filter { !$0.isEmpty }
        let suffix = identifiers.isEmpty ? "" : ", identifiers \(identifiers.joined(separator: ", "))"
        let count = "\(summary.entities.count) entities"
        return switch summary.origin {
        case .cache: "\(count), from the store's own cache\(suffix)"
        case .file(let path, let version): "\(count), version \(version) in \(path)\(suffix)"
        case nil:
            "\(count); \(summary.modelDamage ?? "the store carries no model"): name one with --model to read its rows"
        }
    }

    private var historyText: String {
        guard let history = summary.history else { return "none" }
        var text = "\(history.transactionCount) transactions, \(history.changeCount) changes"
        if let first = history.first, let last = history.last {
            text += ", \(Self.text(first)) to \(Self.text(last))"
        }
        return text
    }

    private static func text(_ date: Date) -> String { DateCoding.text(of: date) ?? "\(date)" }

    private var entities: [String] {
        let hasModel = summary.origin != nil
        var table = TextTable(
            [("entity", .left), ("parent", .left), ("number", .right), ("rows", .right)]
                + (hasModel ? [("attributes", .right), ("relationships", .right), ("", .left)] : []))
        for entity in summary.entities {
            let counts = [entity.attributeCount, entity.relationshipCount].map { $0.map(String.init) ?? "" }
            table.append(
                [
                    entity.name, entity.parent ?? "", entity.number.map(String.init) ?? "",
                    entity.rowCount.map(String.init) ?? "",
                ]
                    + (hasModel ? counts + [Self.note(on: entity)] : []))
        }
        return table.lines
    }

    private static func note(on entity: StoreSummary.Entity) -> String {
        if entity.isOfModel == false { return "not of this version" }
        if let name = entity.storedName { return "\(name) in the database" }
        return entity.isAbstract ? "abstract" : ""
    }

    private var hashes: [String] {
        var table = TextTable([("entity", .left), ("version hash", .left)])
        for entity in summary.entities {
            table.append([entity.name, entity.hash?.base64EncodedString() ?? "none"])
        }
        return table.lines
    }

    private var others: [String] {
        guard !summary.metadata.others.isEmpty else { return [] }
        var table = TextTable([("metadata of the app", .left), ("", .left)])
        for (key, value) in summary.metadata.others.sorted(by: { $0.key < $1.key }) {
            table.append([key, value])
        }
        return table.lines
    }

    // MARK: JSON

    package var json: JSONValue {
        let (metadata, file) = (summary.metadata, summary.file)
        var journalMode: JSONValue = .null
        if case .file(_, _, let mode) = summary.database?.medium { journalMode = .string(mode) }
        return .object([
            .init("path", .string(summary.place)),
            .init("type", .string(metadata.type)),
            .init("uuid", .string(metadata.uuid)),
            .init("frameworkVersion", metadata.frameworkVersion.map { .integer(Int64($0)) } ?? .null),
            .init("size", .integer(size)),
            .init("logSize", .integer(file?.logSize ?? 0)),
            .init("journalMode", journalMode),
            .init("externalFiles", .integer(Int64(file?.externalFileCount ?? 0))),
            .init("externalSize", .integer(file?.externalSize ?? 0)),
            .init("hasModel", .boolean(summary.origin != nil)),
            .init("versionIdentifiers", .array(metadata.versionIdentifiers.map { .string($0) })),
            .init("checksum", metadata.checksum.map { .string($0) } ?? .null),
            .init("entities", .array(summary.entities.map(Self.json))),
            .init("history", summary.history.map(Self.json) ?? .null),
            .init(
                "metadata",
                .object(
                    metadata.others.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
            .init("health", health.map { .array($0.map { .string($0) }) } ?? .null),
        ])
    }

    private static func json(_ entity: StoreSummary.Entity) -> JSONValue {
        .object([
            .init("name", .string(entity.name)),
            .init("storedName", entity.storedName.map { .string($0) } ?? .null),
            .init("parent", entity.parent.map { .string($0) } ?? .null),
            .init("number", entity.number.map { .integer($0) } ?? .null),
            .init("rows", entity.rowCount.map { .integer($0) } ?? .null),
            .init("hash", entity.hash.map { .string($0.base64EncodedString()) } ?? .null),
            .init("isOfModel", entity.isOfModel.map { .boolean($0) } ?? .null),
        ])
    }

    private static func json(_ history: StoreSummary.History) -> JSONValue {
        .object([
            .init("transactions", .integer(history.transactionCount)),
            .init("changes", .integer(history.changeCount)),
            .init("first", history.first.map { .string(text($0)) } ?? .null),
            .init("last", history.last.map { .string(text($0)) } ?? .null),
        ])
    }
}
