import CoreDataModelFormat
import CoreDataValues

/// A prediction whether the next to-many relationship is best read together with its members' rows: yes, if
/// at least half of the previous owner's members were fired, since code that loops over owners mostly treats
/// them alike. Kept for each hierarchy of members, because walks nest.
struct MemberUse {
    private struct Reading {
        let entity: EntityIndex
        let slot: Int
        /// The number of members that were faults; `firedCount` is the number of objects of their hierarchy
        /// fired since.
        let faultCount: Int
        var firedCount = 0
    }

    /// The last reading of each hierarchy, by the root entity of the members.
    private var readings: [Reading?] = []

    @inline(__always)
    mutating func noteFiring(of root: EntityIndex) {
        if Int(root) < readings.count { readings[Int(root)]?.firedCount += 1 }
    }

    mutating func noteReading(_ members: [NSManagedObject], of slot: PropertySlot) {
        // Without members there is nothing to learn.
        guard let root = members.first?.runtime.root else { return }
        while readings.count <= Int(root) { readings.append(nil) }
        var faultCount = 0
        members.forEachBorrowed { if $0.isFault { faultCount += 1 } }
        readings[Int(root)] = Reading(
            entity: slot.declaringEntity, slot: slot.index, faultCount: faultCount)
    }

    /// Returns whether at least half of the members that were read last were fired.
    func expectsFiring(of slot: PropertySlot) -> Bool {
        readings.contains { reading in
            guard let reading, reading.entity == slot.declaringEntity, reading.slot == slot.index else {
                return false
            }
            return reading.firedCount > 0 && reading.firedCount * 2 >= reading.faultCount
        }
    }
}
