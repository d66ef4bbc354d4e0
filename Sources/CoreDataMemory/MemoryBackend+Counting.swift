package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

extension MemoryBackend: ObjectCounting {
    package func objectCounts() throws(StoreError) -> [EntityIndex: Int] {
        var counts: [EntityIndex: Int] = [:]
        for row in current.allRows { counts[row.reference.entity, default: 0] += 1 }
        return counts
    }

    package func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool
    ) throws(StoreError) -> Int {
        let (tables, members) = (current, Set(members))
        var (count, seen) = (0, Set<Int64>())
        for row in tables.rows(of: entity, includingSubentities: false) {
            let related =
                slot.column.map { [row.toOne($0)].compactMap { $0 } }
                ?? tables.related(slot.index, of: row.reference)
            for member in related where members.contains(member.entity) && tables.row(member) != nil {
                if oncePerMember, !seen.insert(member.key).inserted { continue }
                count += 1
            }
        }
        return count
    }
}
