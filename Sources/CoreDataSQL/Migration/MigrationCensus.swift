package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// How many objects and related pairs a store has of each entity and relationship that goes on in a migration.
///
/// Taken before and after, by the tables of either model, it tells whether anything has been lost. Of a relationship only
/// pairs count whose objects both go on. Costs a pass over every table, and a join for each relationship.
package struct MigrationCensus: Sendable, Hashable {
    /// An entity of the new model, or one of its relationships.
    private struct Subject: Hashable {
        let entity: EntityIndex
        let slot: Int?
    }

    private var counts: [Subject: Int] = [:]

    /// - Parameters:
    ///   - source: where the objects are before the migration.
    ///   - target: where they are to be.
    package init(
        before evolution: ModelEvolution, _ source: StoreSchema, _ target: StoreSchema,
        on connection: any SQLConnection
    ) throws(SQLError) {
        let objects = try source.objectCounts(on: connection)
        for entity in Self.entities(of: evolution, source, target) {
            guard let origin = evolution[entity] else { continue }
            counts[Subject(entity: entity, slot: nil)] = objects[origin.entity] ?? 0
            for slot in Self.relationships(of: entity, evolution) {
                guard let former = origin.slots[slot.index],
                    let destination = evolution.source.slot(former, of: origin.entity).relationship?
                        .destination
                else { continue }
                let members = evolution.source[destination].family.filter { member in
                    evolution.successor(of: member).map { target[$0] != nil } ?? false
                }
                counts[Subject(entity: entity, slot: slot.index)] = try source.pairCount(
                    of: evolution.source.slot(former, of: origin.entity), in: origin.entity, members,
                    oncePerMember: Self.isNewToOne(slot, evolution), on: connection)
            }
        }
    }

    package init(
        after evolution: ModelEvolution, _ source: StoreSchema, _ target: StoreSchema,
        on connection: any SQLConnection
    ) throws(SQLError) {
        let objects = try target.objectCounts(on: connection)
        for entity in Self.entities(of: evolution, source, target) {
            counts[Subject(entity: entity, slot: nil)] = objects[entity] ?? 0
            for slot in Self.relationships(of: entity, evolution) {
                guard let destination = slot.relationship?.destination else { continue }
                counts[Subject(entity: entity, slot: slot.index)] = try target.pairCount(
                    of: slot, in: entity, Array(evolution.destination[destination].family),
                    oncePerMember: false, on: connection)
            }
        }
    }

    /// Whether the other side is a to-one relationship that was not there before: objects that share a member cannot all
    /// keep it.
    private static func isNewToOne(_ slot: PropertySlot, _ evolution: ModelEvolution) -> Bool {
        guard let inverse = slot.relationship.flatMap(evolution.destination.inverse), inverse.isToOne else {
            return false
        }
        return evolution.destination[inverse.declaringEntity].family.allSatisfy {
            evolution.origin(of: inverse, in: $0) == nil
        }
    }

    private static func entities(
        of evolution: ModelEvolution, _ source: StoreSchema, _ target: StoreSchema
    ) -> [EntityIndex] {
        evolution.destination.entities.map(\.index).filter { entity in
            target[entity] != nil && evolution[entity].map { source[$0.entity] != nil } ?? false
        }
    }

    private static func relationships(
        of entity: EntityIndex, _ evolution: ModelEvolution
    ) -> [PropertySlot] {
        evolution.destination[entity].slots.filter { slot in
            slot.relationship != nil && !slot.isTransient
                && evolution.origin(of: slot, in: entity)?.relationship != nil
        }
    }

    /// The first entity or relationship of which there are more or fewer in another census, entities first.
    package func difference(to later: MigrationCensus, in model: CompiledModel) -> MigrationViolation? {
        let order = counts.keys.sorted { ($0.slot ?? -1, $0.entity) < ($1.slot ?? -1, $1.entity) }
        guard let subject = order.first(where: { counts[$0] != later.counts[$0] }) else { return nil }
        return MigrationViolation(
            entity: model[subject.entity].name,
            property: subject.slot.map { model.slot($0, of: subject.entity).name },
            rule: .count(before: counts[subject] ?? 0, after: later.counts[subject] ?? 0))
    }
}

extension StoreSchema {
    /// The objects of each entity, without those of its subentities.
    package func objectCounts(on connection: any SQLConnection) throws(SQLError) -> [EntityIndex: Int] {
        var result: [EntityIndex: Int] = [:]
        for table in Set(entities.compactMap { $0?.tableName }).sorted() {
            let query = SQLFragment("SELECT Z_ENT, COUNT(*) FROM \(table) GROUP BY Z_ENT")
            try connection.forEachRow(of: query) { row throws(SQLError) in
                if let entity = entityByNumber[row.integer(at: 0)] {
                    result[entity] = Int(row.integer(at: 1))
                }
            }
        }
        return result
    }

    /// The pairs of a relationship between objects of an entity itself and of some others.
    fileprivate func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int {
        let present = members.compactMap { self[$0] }
        guard let owner = self[entity], let destination = present.first else { return 0 }
        let links: String
        if let column = slot.column {
            links = "SELECT Z_PK AS o, \(owner.columns[column].name) AS m FROM \(owner.tableName)"
        } else {
            switch owner.toMany[slot.index] {
            case .foreignKey(let table, let column, _, _):
                links = "SELECT \(column) AS o, Z_PK AS m FROM \(table)"
            case .join(let table, let owner, let member, _, let isReflexive):
                let pairs = "SELECT \(owner) AS o, \(member) AS m FROM \(table)"
                links = isReflexive ? pairs + " UNION SELECT \(member), \(owner) FROM \(table)" : pairs
            case nil: return 0
            }
        }
        let numbers = MigrationPlanner.list(present.map(\.number).sorted())
        return try connection.count(
            SQLFragment(
                """
                SELECT COUNT(\(oncePerMember ? "DISTINCT l.m" : "*")) FROM (\(links)) l CROSS JOIN \(owner.tableName) o ON o.Z_PK = l.o \
                CROSS JOIN \(destination.tableName) d ON d.Z_PK = l.m \
                WHERE o.Z_ENT = \(String(owner.number)) AND d.Z_ENT IN (\(numbers))
                """))
    }
}
