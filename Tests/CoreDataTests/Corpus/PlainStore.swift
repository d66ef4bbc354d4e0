import Foundation

@testable import CoreData

/// The tables and columns of a store, derived from the file and the names in the model without using the
/// framework (sqlite-store §3 to §8).
final class PlainStore {
    typealias Cell = PlainDatabase.Cell

    let database: PlainDatabase
    let model: NSManagedObjectModel
    /// The numbers of the entities by name.
    let numbers: [String: Int64]
    /// The folder of values too large for a row.
    let externalFolder: URL

    private let tableNames: Set<String>
    /// The columns by declaring entity and property.
    private var columns: [String: [String: String]] = [:]
    /// The rows by table and key.
    private var rows: [String: [Int64: [String: Cell]]] = [:]
    /// The members of each owner, by relationship.
    private var members: [String: [Int64: [Int64]]] = [:]
    private var writtenByTriggers: [String: Set<String>]?

    init(_ url: URL, _ model: NSManagedObjectModel) throws {
        database = try PlainDatabase(url)
        self.model = model
        numbers = try database.entityNumbers(in: model)
        tableNames = Set(try database.strings("SELECT name FROM sqlite_master WHERE type = 'table'"))
        let name = url.deletingPathExtension().lastPathComponent
        externalFolder = url.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
        for root in model.entities where root.superentity == nil { nameColumns(below: root) }
    }

    // MARK: Entities

    static func root(of entity: NSEntityDescription) -> NSEntityDescription {
        var root = entity
        while let parent = root.superentity { root = parent }
        return root
    }

    func table(of entity: NSEntityDescription) -> String {
        "Z" + (Self.root(of: entity).name ?? "").uppercased()
    }

    /// Returns the entity that declares a property, from which others inherit it.
    static func declarer(of property: String, seenFrom entity: NSEntityDescription) -> NSEntityDescription {
        var declarer = entity
        while let parent = declarer.superentity, parent.propertiesByName[property] != nil {
            declarer = parent
        }
        return declarer
    }

    private func number(_ entity: NSEntityDescription) -> Int64 { numbers[entity.name ?? ""] ?? 0 }

    static func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(family)
    }

    /// Returns the rows of an entity itself, by key.
    func rows(of entity: NSEntityDescription) throws -> [Int64: [String: Cell]] {
        let number = number(entity)
        return try rows(table: table(of: entity)).filter { $1["Z_ENT"] == .integer(number) }
    }

    func rows(table: String) throws -> [Int64: [String: Cell]] {
        if let known = rows[table] { return known }
        let names = try database.strings("SELECT name FROM pragma_table_info('\(table)')")
        var result: [Int64: [String: Cell]] = [:]
        for row in try database.rows("SELECT Z_PK, * FROM \"\(table)\"") {
            guard case .integer(let key) = row[0] else { continue }
            result[key] = Dictionary(uniqueKeysWithValues: zip(names, row.dropFirst()))
        }
        rows[table] = result
        return result
    }

    // MARK: Columns

    /// Column names of siblings clash: the later one in the order of numbers has a suffix.
    private func nameColumns(below root: NSEntityDescription) {
        var taken: Set<String> = []
        for entity in Self.family(root).sorted(by: { number($0) < number($1) }) {
            let own = entity.propertiesByName.filter { name, property in
                let isToMany = (property as? NSRelationshipDescription)?.isToMany ?? false
                return !property.isTransient && !isToMany && !(property is NSFetchedPropertyDescription)
                    && Self.declarer(of: name, seenFrom: entity) === entity
            }
            for name in own.keys.sorted(by: { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            ) {
                let base = "Z" + name.uppercased()
                var column = base
                var suffix = 0
                while !taken.insert(column).inserted {
                    suffix += 1
                    column = "\(base)\(suffix)"
                }
                columns[entity.name ?? "", default: [:]][name] = column
            }
        }
    }

    /// Returns the column of an attribute or a to-one relationship.
    func column(_ property: String, of entity: NSEntityDescription) -> String? {
        columns[Self.declarer(of: property, seenFrom: entity).name ?? ""]?[property]
    }

    // MARK: Relationships

    /// Returns the keys of a to-many relationship's members, in its order if it has one.
    func members(of relationship: NSRelationshipDescription, _ name: String, from entity: NSEntityDescription)
        throws -> [Int64: [Int64]]
    {
        let declarer = Self.declarer(of: name, seenFrom: entity)
        let place = "\(declarer.name ?? "").\(name)"
        if let known = members[place] { return known }
        guard let destination = relationship.destinationEntity else { return [:] }
        let result: [Int64: [Int64]]
        if let inverse = relationship.inverseRelationship, inverse.isToMany {
            result = try joined(relationship, name, declarer, inverse.name, destination)
        } else {
            result = try referring(relationship, name, declarer, destination)
        }
        members[place] = result
        return result
    }

    /// The members' rows have the key of their owner.
    private func referring(
        _ relationship: NSRelationshipDescription, _ name: String, _ declarer: NSEntityDescription,
        _ destination: NSEntityDescription
    ) throws -> [Int64: [Int64]] {
        guard let column = memberColumn(of: relationship, name, from: declarer) else { return [:] }
        let inverse = relationship.inverseRelationship
        let owner = inverse.map { Self.declarer(of: $0.name, seenFrom: destination) } ?? destination
        let numbers = Set(Self.family(owner).map { Cell.integer(number($0)) })
        let order = relationship.isOrdered ? "Z_FOK_" + column.dropFirst() : nil
        var found: [Int64: [(order: Double, key: Int64)]] = [:]
        for (key, row) in try rows(table: table(of: destination)) {
            guard case .integer(let owner)? = row[column], numbers.contains(row["Z_ENT"] ?? .null) else {
                continue
            }
            found[owner, default: []].append((order.flatMap { row[$0]?.number } ?? 0, key))
        }
        return found.mapValues { $0.sorted { $0 < $1 }.map(\.key) }
    }

    /// Returns the column of the members' rows that has the key of their owner.
    func memberColumn(
        of relationship: NSRelationshipDescription, _ name: String, from entity: NSEntityDescription
    ) -> String? {
        guard let inverse = relationship.inverseRelationship else {
            return "Z\(number(Self.declarer(of: name, seenFrom: entity)))\(name.uppercased())"
        }
        return inverse.isToMany
            ? nil : relationship.destinationEntity.flatMap { column(inverse.name, of: $0) }
    }

    /// Returns a column with those beside it: the entity of the destination, and the position in an order.
    func companions(of column: String, in table: String) -> [String] {
        let columns = (try? database.columns(of: table)) ?? []
        let name = column.dropFirst()
        return columns.filter { other in
            if other == column || other == "Z_FOK_\(name)" { return true }
            guard other.hasSuffix("_\(name)"), other.hasPrefix("Z") else { return false }
            return other.dropFirst().dropLast(name.count + 1).allSatisfy(\.isNumber)
        }
    }

    /// The columns that triggers write, by table.
    func triggerColumns() throws -> [String: Set<String>] {
        if let writtenByTriggers { return writtenByTriggers }
        var result: [String: Set<String>] = [:]
        for text in try database.strings("SELECT sql FROM sqlite_master WHERE type = 'trigger'") {
            for match in text.matches(of: /UPDATE (\w+) SET (.*?) WHERE/) {
                let columns = match.2.matches(of: /(\w+) =/).map { String($0.1) }
                result[String(match.1), default: []].formUnion(columns)
            }
        }
        writtenByTriggers = result
        return result
    }

    /// Returns the members in a join table, which is named after either side.
    private func joined(
        _ relationship: NSRelationshipDescription, _ name: String, _ declarer: NSEntityDescription,
        _ inverse: String, _ destination: NSEntityDescription
    ) throws -> [Int64: [Int64]] {
        let other = Self.declarer(of: inverse, seenFrom: destination)
        guard let join = try joinTable(declarer, name, other, inverse) else { return [:] }
        var pairs = try database.rows(
            "SELECT \(join.owner), \(join.member), \(join.order ?? "0") FROM \(join.table)")
        if join.owner == join.member || join.member == "REFLEXIVE" {
            pairs += pairs.map { [$0[1], $0[0], $0[2]] }
        }
        var found: [Int64: [(order: Double, key: Int64)]] = [:]
        for pair in pairs {
            guard case .integer(let owner) = pair[0], case .integer(let member) = pair[1] else { continue }
            if found[owner]?.contains(where: { $0.key == member }) == true { continue }
            found[owner, default: []].append((pair[2].number ?? 0, member))
        }
        return found.mapValues { $0.sorted { $0 < $1 }.map(\.key) }
    }

    struct Join {
        let table: String
        let owner: String
        let member: String
        let order: String?
    }

    func joinTable(
        _ declarer: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ inverse: String
    ) throws -> Join? {
        let (mine, theirs) = (number(declarer), number(other))
        let tables = ["Z_\(mine)\(name.uppercased())", "Z_\(theirs)\(inverse.uppercased())"]
        guard let table = tables.first(where: tableNames.contains) else { return nil }
        let columns = try database.columns(of: table)
        func column(_ base: String) -> String? {
            columns.first { $0.hasPrefix(base) && $0.dropFirst(base.count).allSatisfy(\.isNumber) }
        }
        let isReflexive = columns.contains("REFLEXIVE")
        guard let owner = column("Z_\(mine)\(inverse.uppercased())"),
            let member = isReflexive ? "REFLEXIVE" : column("Z_\(theirs)\(name.uppercased())")
        else { return nil }
        return Join(
            table: table, owner: owner, member: member, order: column("Z_FOK_\(theirs)\(name.uppercased())"))
    }
}
