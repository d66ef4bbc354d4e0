import CoreDataModelFormat
import Foundation

/// The checks that an object of an entity needs before it is saved, found once.
final class ValidationPlan: Sendable {
    /// Mandatory properties.
    let mandatoryColumns: [(column: Int, slot: Int)]
    /// Properties with predicates.
    let ruledSlots: [Int]
    /// Relationships whose number of members is limited.
    ///
    /// Without a minimum, a mandatory to-many may be empty: clients of Apple's framework save such objects.
    let countedSlots: [Int]
    let denyingSlots: [Int]

    /// Whether there is anything to check before an object is saved.
    let hasRules: Bool
    /// Whether there is anything to check before an object is deleted.
    let hasDenials: Bool

    init(_ entity: CompiledEntity, _ properties: [NSPropertyDescription]) {
        var mandatory: [(column: Int, slot: Int)] = []
        var ruled: [Int] = []
        var counted: [Int] = []
        var denying: [Int] = []
        for slot in entity.slots {
            let property = properties[slot.index]
            if let column = slot.column, !slot.isOptional { mandatory.append((column, slot.index)) }
            if slot.attribute != nil, slot.column == nil, !slot.isOptional { ruled.append(slot.index) }
            let composite = property as? NSCompositeAttributeDescription
            if !property.validationPredicates.isEmpty || composite?.hasRuledElements == true {
                ruled.append(slot.index)
            }
            if let relationship = slot.relationship {
                if relationship.isToMany, relationship.minimumCount > 0 || relationship.maximumCount > 0 {
                    counted.append(slot.index)
                }
                if relationship.deleteRule == .deny { denying.append(slot.index) }
            }
        }
        mandatoryColumns = mandatory
        ruledSlots = ruled
        countedSlots = counted
        denyingSlots = denying
        hasRules = !mandatory.isEmpty || !ruled.isEmpty || !counted.isEmpty
        hasDenials = !denying.isEmpty
    }
}
