import CoreData
import Foundation
import Testing

@Suite("Numbers of a relationship's members")
@MainActor
struct RelationshipCountTests {
    private func save(optional: Bool, min: Int, max: Int, members: Int) throws -> Int? {
        let model = ModelSketch(
            """
            Club
              members ->> Member
            Member
            """
        ).model
        let relationship = model.entitiesByName["Club"]!.relationshipsByName["members"]!
        relationship.isOptional = optional
        (relationship.minCount, relationship.maxCount) = (min, max)
        let stack = try TestStack(model, type: .inMemory)
        let context = stack.context
        let object = stack.insert("Club")
        for _ in 0..<members {
            object.mutableSetValue(forKey: "members")
                .add(stack.insert("Member"))
        }
        do {
            try context.save()
            return nil
        } catch let error as NSError {
            return error.code
        }
    }

    @Test("Without a minimum, a mandatory to-many may be empty")
    func mandatoryAndEmpty() throws {
        #expect(try save(optional: false, min: 0, max: 0, members: 0) == nil)
    }

    @Test("A minimum applies to mandatory and to non-empty optional relationships")
    func minimum() throws {
        let tooFew = NSValidationRelationshipLacksMinimumCountError
        #expect(try save(optional: false, min: 1, max: 0, members: 0) == tooFew)
        #expect(try save(optional: false, min: 1, max: 0, members: 1) == nil)
        #expect(try save(optional: true, min: 2, max: 0, members: 0) == nil)
        #expect(try save(optional: true, min: 2, max: 0, members: 1) == tooFew)
    }

    @Test("More members than the maximum fail the save")
    func maximum() throws {
        let tooMany = NSValidationRelationshipExceedsMaximumCountError
        #expect(try save(optional: true, min: 0, max: 2, members: 2) == nil)
        #expect(try save(optional: true, min: 0, max: 2, members: 3) == tooMany)
    }
}
