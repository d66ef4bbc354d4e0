import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Keys of new rows.
extension SQLBackend {
    package func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        try write { connection throws(SQLError) in
            if keys.needsTransaction { try connection.begin(.immediate) }
            var result: [EntityIndex: [ObjectReference]] = [:]
            for entity in count.keys.sorted() {
                guard let wanted = count[entity], wanted > 0 else { continue }
                var new = try keys.keys(wanted, of: entity, on: connection)
                result[entity] = (0..<wanted).map { _ in
                    ObjectReference(entity: entity, key: new.next())
                }
            }
            if keys.needsTransaction { try connection.commit() }
            return result
        }
    }

    /// Returns permanent references for temporary ones, in their order.
    func permanentReferences(
        for references: [ObjectReference], on connection: any SQLConnection
    ) throws(SQLError) -> ReferenceMap {
        var families = KeyFamilies(schema.model)
        var temporary = 0
        for reference in references where reference.isTemporary {
            families.count(reference.entity)
            temporary += 1
        }
        guard temporary > 0 else { return [:] }
        families.all.sort { $0.root < $1.root }
        for index in families.all.indices {
            let family = families.all[index]
            families.all[index].keys = try keys.keys(family.count, of: family.root, on: connection)
        }
        var result = ReferenceMap(minimumCapacity: temporary)
        for reference in references where reference.isTemporary {
            result[reference] = ObjectReference(
                entity: reference.entity, key: families.nextKey(reference.entity))
        }
        return result
    }
}

/// The inheritance trees of the rows of a save, which are few.
private struct KeyFamilies {
    struct Family {
        let root: EntityIndex
        var count = 0
        var keys = NewKeys()
    }

    var all: [Family] = []
    private let model: CompiledModel
    private var last = 0
    private var lastEntity: (index: EntityIndex, root: EntityIndex) = (-1, -1)

    init(_ model: CompiledModel) { self.model = model }

    mutating func count(_ entity: EntityIndex) {
        find(entity)
        all[last].count += 1
    }

    mutating func nextKey(_ entity: EntityIndex) -> Int64 {
        find(entity)
        return all[last].keys.next()
    }

    /// Makes the family of an entity the current one, which usually is that of the row before.
    private mutating func find(_ entity: EntityIndex) {
        if entity != lastEntity.index { lastEntity = (entity, model[entity].root) }
        let root = lastEntity.root
        if last < all.count, all[last].root == root { return }
        if let known = all.firstIndex(where: { $0.root == root }) {
            last = known
        } else {
            last = all.count
            all.append(Family(root: root))
        }
    }
}
