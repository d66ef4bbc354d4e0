import CoreDataValues
import Testing

@Suite("Maps from references to references")
struct ReferenceMapTests {
    @Test("A map of references returns the value set last, and nil for a reference without one")
    func lookups() {
        var map: ReferenceMap = [:]
        #expect(map.isEmpty)
        #expect(map[ObjectReference(entity: 0, key: -1)] == nil)
        // Neighbouring keys, keys far apart, and one key in two entities.
        let keys = (1...500).map { Int64(-$0) } + (1...500).map { Int64(-$0) << 32 }
        let former = keys.flatMap {
            [ObjectReference(entity: 3, key: $0), ObjectReference(entity: 4, key: $0)]
        }
        for (index, reference) in former.enumerated() {
            map[reference] = ObjectReference(entity: reference.entity, key: 0)
            map[reference] = ObjectReference(entity: reference.entity, key: Int64(index) + 1)
        }
        #expect(map.count == former.count)
        for (index, reference) in former.enumerated() {
            #expect(map[reference] == ObjectReference(entity: reference.entity, key: Int64(index) + 1))
        }
        #expect(map[ObjectReference(entity: 5, key: -1)] == nil)
        #expect(map[ObjectReference(entity: 3, key: -501)] == nil)
    }

    @Test(
        "A reference far from the first one is found, and counts once even if it is set again")
    func latecomers() {
        var map: ReferenceMap = [:]
        let late = ObjectReference(entity: 1, key: -400)
        map[ObjectReference(entity: 1, key: -1)] = ObjectReference(entity: 1, key: 1)
        map[late] = ObjectReference(entity: 1, key: 7)
        // Before the first, and as far away as keys can be.
        for key in [3, 0, .max, .min] as [Int64] {
            map[ObjectReference(entity: 1, key: key)] = ObjectReference(entity: 1, key: 9)
        }
        for key in 2..<400 {
            map[ObjectReference(entity: 1, key: Int64(-key))] = ObjectReference(entity: 1, key: Int64(key))
        }
        map[late] = ObjectReference(entity: 1, key: 400)
        #expect(map.count == 404)
        #expect(map[late]?.key == 400)
        #expect(map[ObjectReference(entity: 1, key: .min)]?.key == 9)
        #expect(map[ObjectReference(entity: 1, key: .max)]?.key == 9)
        var seen: [ObjectReference: Int64] = [:]
        map.forEach { seen[$0] = $1.key }
        #expect(seen.count == 404)
        #expect(seen[late] == 400)
        #expect(seen[ObjectReference(entity: 1, key: 3)] == 9)
    }

    @Test("Every entry is visited once")
    func walk() {
        let map: ReferenceMap = [
            ObjectReference(entity: 1, key: -1): ObjectReference(entity: 1, key: 10),
            ObjectReference(entity: 2, key: -2): ObjectReference(entity: 2, key: 20),
        ]
        var seen: [Int64: Int64] = [:]
        map.forEach { seen[$0.key] = $1.key }
        #expect(seen == [-1: 10, -2: 20])
    }

    @Test("A copy does not change with its original")
    func copies() {
        var map = ReferenceMap(minimumCapacity: 4)
        map[ObjectReference(entity: 1, key: -1)] = ObjectReference(entity: 1, key: 1)
        let copy = map
        map[ObjectReference(entity: 1, key: -1)] = ObjectReference(entity: 1, key: 2)
        #expect(copy[ObjectReference(entity: 1, key: -1)]?.key == 1)
    }
}
