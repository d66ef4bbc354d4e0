import Foundation
import Testing

@testable import CoreData

/// Refuses the name "forbidden", trims names, and has a rule of its own for the whole object.
final class Checked: NSManagedObject {
    override func validateValue(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {
        if key == "name", let text = value.pointee as? String {
            if text == "forbidden" {
                throw NSError(domain: "Own", code: 7, userInfo: [NSLocalizedDescriptionKey: "no"])
            }
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            if trimmed != text { value.pointee = trimmed as AnyObject }
        }
        try super.validateValue(value, forKey: key)
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if value(forKey: "size") as? Int == 13 { throw NSError(domain: "Own", code: 13) }
    }
}

@Suite("Validation")
@MainActor
struct ValidationTests {

    private func stack() throws -> TestStack {
        let model = ModelSketch(
            """
            Thing
              name string
              code string
              size int32
              price decimal
              made date
              colour string
              owner string! = "nobody"
              parts ->> Part.thing
            Part
              name string
              thing -> Thing.parts
            """
        ).model(classes: ["Thing": Checked.self])
        let thing = model.entitiesByName["Thing"]!
        func limit(_ name: String, _ rules: (String, Any)...) {
            thing.attributesByName[name]!.setValidationRules(
                rules.map { NSPredicate(format: $0.0) }, warnings: rules.map(\.1))
        }
        limit(
            "name", ("length >= 2", NSValidationStringTooShortError),
            ("length <= 9", NSValidationStringTooLongError))
        limit("code", ("SELF MATCHES \"[A-Z]{2}\"", NSValidationStringPatternMatchingError))
        limit(
            "size", ("SELF >= 1", NSValidationNumberTooSmallError),
            ("SELF <= 20", NSValidationNumberTooLargeError))
        limit("price", ("SELF <= 99.5", NSValidationNumberTooLargeError))
        limit("made", ("timeIntervalSinceReferenceDate >= 0", NSValidationDateTooSoonError))
        limit("colour", ("SELF != 'mauve'", "No mauve, please."))
        thing.relationshipsByName["parts"]!.minCount = 2
        thing.relationshipsByName["parts"]!.maxCount = 3
        return try TestStack(model)
    }

    private func failure(_ stack: TestStack) -> NSError? {
        #expect(throws: NSError.self) { try stack.context.save() }
    }

    @Test("A validation method's pointer can be made of a variable of a class type")
    func pointers() {
        var number: NSNumber = 1
        withUnsafeMutablePointer(to: &number) { variable in
            let pointer: AutoreleasingUnsafeMutablePointer<AnyObject?> = AutoreleasingUnsafeMutablePointer(
                variable)
            #expect(pointer.pointee === variable.pointee)
            pointer.pointee = 2 as NSNumber
        }
        #expect(number == 2)
    }

    @Test(
        "A value out of its limits fails with Apple's code, key, value, predicate and object",
        arguments: [
            ("name", "x", NSValidationStringTooShortError),
            ("name", "0123456789", NSValidationStringTooLongError),
            ("code", "abc", NSValidationStringPatternMatchingError),
            ("size", "0", NSValidationNumberTooSmallError), ("size", "21", NSValidationNumberTooLargeError),
            ("price", "99.6", NSValidationNumberTooLargeError),
            ("made", "-5", NSValidationDateTooSoonError),
            ("colour", "mauve", NSManagedObjectValidationError),
        ])
    func limits(_ key: String, _ text: String, _ code: Int) throws {
        let stack = try stack()
        let value: Any =
            switch key {
            case "size": Int(text) ?? 0
            case "price": NSDecimalNumber(string: text)
            case "made": Date(timeIntervalSinceReferenceDate: Double(text) ?? 0)
            default: text
            }
        let thing = stack.insert("Thing", [key: value])
        let error = try #require(failure(stack))
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == code)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
        #expect(error.userInfo[NSValidationValueErrorKey] != nil)
        #expect(error.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        #expect(!error.localizedDescription.isEmpty)
        if key == "colour" { #expect(error.localizedDescription == "No mauve, please.") }
    }

    @Test("A mandatory nil fails with 1570, and a default satisfies it")
    func mandatory() throws {
        let stack = try stack()
        let thing = stack.insert("Thing")
        try stack.context.save()
        #expect(thing.value(forKey: "owner") as? String == "nobody")
        thing.setValue(nil, forKey: "owner")
        let error = try #require(failure(stack))
        #expect(error.code == NSValidationMissingMandatoryPropertyError)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "owner")
        #expect(thing.isUpdated)
        #expect(thing.value(forKey: "owner") == nil)
    }

    @Test("Too few members fail with 1580, too many with 1590; an optional relationship may be empty")
    func counts() throws {
        let stack = try stack()
        let thing = stack.insert("Thing")
        try stack.context.save()
        let parts = (0..<4).map { _ in stack.insert("Part") }
        thing.setValue(NSSet(array: [parts[0]]), forKey: "parts")
        var error = try #require(failure(stack))
        #expect(error.code == NSValidationRelationshipLacksMinimumCountError)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "parts")
        thing.setValue(NSSet(array: parts), forKey: "parts")
        error = try #require(failure(stack))
        #expect(error.code == NSValidationRelationshipExceedsMaximumCountError)
        thing.setValue(NSSet(array: Array(parts.prefix(3))), forKey: "parts")
        try stack.context.save()
    }

    @Test("Several failures, of one object or more, are one error 1560")
    func several() throws {
        let stack = try stack()
        let first = stack.insert("Thing", ["name": "x", "size": 0])
        let second = stack.insert("Thing", ["code": "abc"])
        let error = try #require(failure(stack))
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSValidationMultipleErrorsError)
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
        #expect(
            Set(details.map(\.code)) == [
                NSValidationStringTooShortError, NSValidationNumberTooSmallError,
                NSValidationStringPatternMatchingError,
            ])
        let objects = details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
        #expect(details.count == 3)
        #expect(Set(objects) == [first, second])
        #expect(stack.context.insertedObjects.count == 2)
    }

    @Test("validateValue can replace a value or throw an error of the app")
    func ownValues() throws {
        let stack = try stack()
        let thing = stack.insert("Thing", ["name": "  bolt "])
        try stack.context.save()
        #expect(thing.value(forKey: "name") as? String == "bolt")
        #expect(try stack.stored("Thing", "name") as? [String] == ["bolt"])
        thing.setValue("forbidden", forKey: "name")
        let error = try #require(failure(stack))
        #expect(error.domain == "Own")
        #expect(error.code == 7)
    }

    @Test("validateForInsert adds a rule of the class to the model's")
    func ownObjects() throws {
        let stack = try stack()
        stack.insert("Thing", ["size": 13])
        #expect(failure(stack)?.code == 13)
        let thing = try #require(try stack.fetch("Thing").first)
        thing.setValue(12, forKey: "size")
        try thing.validateForInsert()
        try stack.context.save()
        thing.setValue(13, forKey: "size")
        try thing.validateForUpdate()
        try stack.context.save()
    }

    @Test("A validateX method runs after the model's rules and can replace the value")
    func ownMethods() throws {
        ManagedClasses.register(validatorFor: "code", of: Checked.self) { _, value in
            guard let text = value.pointee as? String else { return }
            if text == "XX" { throw NSError(domain: "Own", code: 99) }
            value.pointee = String(text.reversed()) as AnyObject
        }
        let stack = try stack()
        let thing = stack.insert("Thing", ["code": "AB"])
        try stack.context.save()
        #expect(try stack.stored("Thing", "code") as? [String] == ["BA"])
        thing.setValue("XX", forKey: "code")
        #expect(failure(stack)?.code == 99)
        thing.setValue("toolong", forKey: "code")
        #expect(failure(stack)?.code == NSValidationStringPatternMatchingError)
    }

    @Test("A failed save can be corrected and repeated with the same objects")
    func retrying() throws {
        let stack = try stack()
        let thing = stack.insert("Thing", ["size": 0])
        let part = stack.insert("Part", ["name": "p"])
        #expect(failure(stack)?.code == NSValidationNumberTooSmallError)
        #expect(thing.isInserted)
        #expect(part.isInserted)
        #expect(thing.objectID.isTemporaryID)
        thing.setValue(1, forKey: "size")
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        #expect(!thing.objectID.isTemporaryID)
        #expect(try stack.stored("Thing", "size") as? [Int] == [1])
    }

    @Test("Changes of a deleted object are not validated")
    func deletedObjects() throws {
        let stack = try stack()
        let thing = stack.insert("Thing", ["size": 1])
        try stack.context.save()
        thing.setValue(0, forKey: "size")
        stack.context.delete(thing)
        try stack.context.save()
        #expect(try stack.stored("Thing", "size").isEmpty)
    }

    @Test("validateValue can be called outside of a save")
    func asking() throws {
        let stack = try stack()
        let thing = stack.insert("Thing")
        var value: AnyObject? = NSNumber(value: 50)
        let error = #expect(throws: NSError.self) { try thing.validateValue(&value, forKey: "size") }
        #expect(error?.code == NSValidationNumberTooLargeError)
        value = NSNumber(value: 5)
        try thing.validateValue(&value, forKey: "size")
        value = nil
        try thing.validateValue(&value, forKey: "size")
        #expect(throws: NSError.self) { try thing.validateValue(&value, forKey: "owner") }
    }
}
