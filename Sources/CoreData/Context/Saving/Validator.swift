import CoreDataModelFormat
import CoreDataStore
import Foundation

/// The check of objects against their model and their class's own rules, which collects all errors.
enum Validator {
    enum Occasion {
        case insert
        case update
        case delete
    }

    /// Runs the checks of `validateForInsert`, `validateForUpdate` and `validateForDelete`.
    static func validate(_ object: NSManagedObject, for occasion: Occasion) throws {
        // Most entities have no rules, and most classes no `validateX` methods.
        guard
            occasion == .delete
                ? object.runtime.validation.hasDenials
                : object.runtime.validation.hasRules || ManagedClasses.haveValidators
        else { return }
        let plan = object.runtime.validation
        let custom = occasion == .delete ? [] : customSlots(of: object)
        var errors: [NSError] = []
        if occasion == .delete {
            checkDenial(object, plan, &errors)
        } else {
            checkMandatory(object, plan, &errors)
            for slot in plan.ruledSlots + custom { check(object, slot, &errors) }
            for slot in plan.countedSlots { checkCount(object, slot, occasion, &errors) }
        }
        if let error = CoreDataError.combined(errors) { throw error }
    }

    /// Returns the slots for which the class has a `validateX` method of its own.
    private static func customSlots(of object: NSManagedObject) -> [Int] {
        let names = ManagedClasses.validatedKeys(of: type(of: object))
        guard !names.isEmpty else { return [] }
        let ruled = Set(object.runtime.validation.ruledSlots)
        return names.compactMap { object.runtime.compiled.slotByName[$0] }.filter { !ruled.contains($0) }
    }

    private static func checkMandatory(
        _ object: NSManagedObject, _ plan: ValidationPlan, _ errors: inout [NSError]
    ) {
        guard let row = object.row else { return }
        for (column, slot) in plan.mandatoryColumns where row.isNull(column) {
            if plan.ruledSlots.contains(slot) { continue }
            check(object, slot, &errors)
        }
    }

    /// Runs `validateValue(_:forKey:)`, which may replace the value.
    private static func check(_ object: NSManagedObject, _ slot: Int, _ errors: inout [NSError]) {
        let property = object.runtime.slot(at: slot)
        // There is a value, but it cannot be read.
        if let column = property.column, object.row?.unreadableValue(column) != nil { return }
        let before = object.primitive(at: property).map { $0 as AnyObject }
        var value = before
        do {
            // A dynamic call, so that overrides run; the framework's own implementation calls the validator.
            try withUnsafeMutablePointer(to: &value) { pointer in
                try object.validateValue(AutoreleasingUnsafeMutablePointer(pointer), forKey: property.name)
            }
            if value !== before { object.baseSetValue(value, forKey: property.name) }
        } catch {
            errors += CoreDataError.parts(of: error)
        }
    }

    // MARK: One property

    /// Checks the model's rules for a value, then runs the class's own method.
    static func validate(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, of object: NSManagedObject,
        at slot: PropertySlot
    ) throws {
        try check(value.pointee, of: object, object.runtime.properties[slot.index], slot.name)
        try ManagedClasses.runValidator(for: slot.name, on: object, value)
    }

    /// Checks the model's rules for the value of a property, or of an element of a composite.
    private static func check(
        _ value: Any?, of object: NSManagedObject, _ property: NSPropertyDescription, _ path: String
    ) throws {
        guard let value, !(value is NSNull) else {
            if property.isOptional || (property as? NSRelationshipDescription)?.isToMany == true { return }
            throw error(NSValidationMissingMandatoryPropertyError, object, path, nil, nil)
        }
        for (index, predicate) in property.validationPredicates.enumerated()
        where !predicate.evaluate(with: value) {
            let warnings = property.validationWarnings
            let warning = index < warnings.count ? warnings[index] : nil
            throw failure(warning, object, path, value, predicate)
        }
        guard let composite = property as? NSCompositeAttributeDescription, composite.hasRuledElements else {
            return
        }
        let values = value as? [String: Any] ?? [:]
        for element in composite.elements {
            try check(values[element.name], of: object, element, "\(path).\(element.name)")
        }
    }

    private static func failure(
        _ warning: Any?, _ object: NSManagedObject, _ key: String, _ value: Any, _ predicate: NSPredicate
    ) -> NSError {
        if let code = (warning as? NSNumber)?.intValue {
            return error(code, object, key, value, predicate)
        }
        let message = (warning as? String).map { [NSLocalizedDescriptionKey: $0] } ?? [:]
        return error(NSManagedObjectValidationError, object, key, value, predicate, message)
    }

    static func error(
        _ code: Int, _ object: NSManagedObject, _ key: String, _ value: Any?, _ predicate: NSPredicate?,
        _ more: [String: Any] = [:]
    ) -> NSError {
        var userInfo: [String: Any] = [
            NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key,
        ]
        userInfo[NSValidationValueErrorKey] = value
        userInfo[NSValidationPredicateErrorKey] = predicate
        userInfo.merge(more) { _, new in new }
        if more.isEmpty {
            userInfo[NSLocalizedDescriptionKey] = description(code, object.runtime.name, key)
        }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
    }

    private static func description(_ code: Int, _ entity: String, _ key: String) -> String {
        switch code {
        case NSValidationMissingMandatoryPropertyError: "\(key) is a required value."
        case NSValidationRelationshipLacksMinimumCountError: "Too few items in \(key)."
        case NSValidationRelationshipExceedsMaximumCountError: "Too many items in \(key)."
        case NSValidationRelationshipDeniedDeleteError: "Items cannot be deleted from \(key)."
        case NSValidationNumberTooLargeError: "\(key) is too large."
        case NSValidationNumberTooSmallError: "\(key) is too small."
        case NSValidationDateTooLateError: "\(key) is too late."
        case NSValidationDateTooSoonError: "\(key) is too soon."
        case NSValidationInvalidDateError: "\(key) is not a valid date."
        case NSValidationStringTooLongError: "\(key) is too long."
        case NSValidationStringTooShortError: "\(key) is too short."
        case NSValidationStringPatternMatchingError: "\(key) does not match its pattern."
        default: "\(entity).\(key) is not valid."
        }
    }

    // MARK: Relationships

    private static func checkCount(
        _ object: NSManagedObject, _ index: Int, _ occasion: Occasion, _ errors: inout [NSError]
    ) {
        let slot = object.runtime.slot(at: index)
        guard let relationship = slot.relationship else { return }
        // A relationship that did not change was valid when it was saved.
        if occasion == .update, !object.isInserted,
            (object.side(at: index) as? ToManyValue)?.isChanged != true
        {
            return
        }
        let value = object.toMany(at: slot)
        let count = value.count
        if count == 0, slot.isOptional { return }
        if count < relationship.minimumCount {
            errors.append(
                error(NSValidationRelationshipLacksMinimumCountError, object, slot.name, value.asSet, nil))
        } else if relationship.maximumCount > 0, count > relationship.maximumCount {
            errors.append(
                error(NSValidationRelationshipExceedsMaximumCountError, object, slot.name, value.asSet, nil))
        }
    }

    private static func checkDenial(
        _ object: NSManagedObject, _ plan: ValidationPlan, _ errors: inout [NSError]
    ) {
        for index in plan.denyingSlots {
            let slot = object.runtime.slot(at: index)
            let remaining = object.destinations(at: slot).filter { !$0.isDeleted }
            guard !remaining.isEmpty else { continue }
            let value: Any = slot.isToMany ? NSSet(array: remaining) : remaining[0]
            errors.append(error(NSValidationRelationshipDeniedDeleteError, object, slot.name, value, nil))
        }
    }
}

extension NSManagedObject {
    final func baseValidateValue(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
    ) throws {
        guard let slot = runtime.slot(named: key) else { programmerError(unknownKeyMessage(key)) }
        try Validator.validate(value, of: self, at: slot)
    }

    /// Checks a value for a property; this overload takes `&value`.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSValidationMissingMandatoryPropertyError` (1570) for a mandatory
    ///   property without a value; for a broken rule of the model the code of the rule (1610-1680), or
    ///   `NSManagedObjectValidationError` (1550) if the rule has none; whatever the class's `validateX`
    ///   method throws.
    public final func validateValue(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validateValue(AutoreleasingUnsafeMutablePointer(value), forKey: key)
    }
}

extension NSCompositeAttributeDescription {
    /// Whether an attribute has elements with rules of their own.
    final var hasRuledElements: Bool {
        elements.contains {
            !$0.isOptional || !$0.validationPredicates.isEmpty
                || ($0 as? NSCompositeAttributeDescription)?.hasRuledElements == true
        }
    }
}
