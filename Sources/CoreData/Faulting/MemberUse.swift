import CoreDataModelFormat
import CoreDataValues

/// Whether the members of the to-many that was read last were read themselves: who walks from one owner to the next goes
/// on so, and the next owner's members are read with their rows. Kept for each hierarchy that members are of, since walks
/// lie within one another.
struct MemberUse {
    private struct Reading {
        let entity: EntityIndex
        let slot: Int
        /// How many members were faults, and how many objects of their hierarchy were fired since.
        let faultCount: Int
        var firedCount = 0
    }

    /// By the root entity of the members.
    private var readings: [Reading?] = []

    @inline(__always)
    mutating func noteFiring(of root: EntityIndex) {
        if Int(root) < readings.count { readings[Int(root)]?.firedCount += 1 }
    }

    mutating func noteReading(_ members: [NSManagedObject], of slot: PropertySlot) {
        // Of none there is nothing to be learnt.
        guard let root = members.first?.runtime.compiled.root else { return }
        while readings.count <= Int(root) { readings.append(nil) }
        var faultCount = 0
        members.forEachBorrowed { if $0.isFault { faultCount += 1 } }
        readings[Int(root)] = Reading(
            entity: slot.declaringEntity, slot: slot.index, faultCount: faultCount)
    }

    /// Whether at least half of the members read last were fired.
    func expectsFiring(of slot: PropertySlot) -> Bool {
        readings.contains { reading in
            guard let reading, reading.entity == slot.declaringEntity, reading.slot == slot.index else {
                return false
            }
            return reading.firedCount > 0 && reading.firedCount * 2 >= reading.faultCount
        }
    }
}
