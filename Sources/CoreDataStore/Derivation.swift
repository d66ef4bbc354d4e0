package import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataValues

/// The rule that computes a derived attribute (sqlite-store §10).
package enum Derivation: Sendable {
    /// `now()`: the time at which the row was last saved.
    case now
    /// `relationship.@count`.
    case count(relationship: PropertySlot)
    /// `relationship.attribute.@sum`.
    case sum(relationship: PropertySlot, attribute: PropertySlot)
    /// `toOne.attribute`.
    case copy(relationship: PropertySlot, attribute: PropertySlot)
    /// `canonical:(attribute)` and similar functions: a transformed text of the same row. Also an unchanged
    /// copy of another attribute of the row (`TextForm.same`).
    case text(form: TextForm, attribute: PropertySlot)

    package enum TextForm: String, Sendable {
        case canonical = "canonical:"
        case lowercase = "lowercase:"
        case uppercase = "uppercase:"
        case same = ""
    }

    /// The relationship to the rows that the value is made of; nil if it is made of its own row.
    package var relationship: PropertySlot? {
        switch self {
        case .count(let relationship), .sum(let relationship, _), .copy(let relationship, _): relationship
        case .now, .text: nil
        }
    }

    /// Reads the rule from the model. Nil for an attribute that is not derived, and for any other expression.
    package init?(_ slot: PropertySlot, of entity: CompiledEntity, in model: CompiledModel) {
        guard let expression = slot.attribute?.derivation else { return nil }
        switch expression {
        case .function(nil, "now", _):
            self = .now
        case .function(nil, let name, let arguments):
            guard arguments.count == 1, case .keyPath(.evaluatedObject, let keys) = arguments[0] else {
                return nil
            }
            self.init(function: name, of: keys, entity, model)
        case .keyPath(.evaluatedObject, let keys):
            if keys.count == 1 {
                self.init(function: TextForm.same.rawValue, of: keys, entity, model)
                return
            }
            guard keys.count == 2, let (relationship, attribute) = Self.path(keys, entity, model),
                relationship.isToOne
            else { return nil }
            self = .copy(relationship: relationship, attribute: attribute)
        default:
            return nil
        }
    }

    private init?(function: String, of keys: [String], _ entity: CompiledEntity, _ model: CompiledModel) {
        switch (function, keys.count) {
        case ("count:", 1):
            guard let relationship = entity.slot(named: keys[0]), relationship.isToMany else { return nil }
            self = .count(relationship: relationship)
        case ("sum:", 2):
            guard let (relationship, attribute) = Self.path(keys, entity, model), relationship.isToMany else {
                return nil
            }
            self = .sum(relationship: relationship, attribute: attribute)
        case (_, 1):
            guard let form = TextForm(rawValue: function), let attribute = entity.slot(named: keys[0]),
                attribute.column != nil, let source = attribute.attribute, source.derivation == nil,
                source.elements.isEmpty
            else { return nil }
            self = .text(form: form, attribute: attribute)
        default:
            return nil
        }
    }

    /// Returns a relationship and an attribute of its destination; nil unless the attribute has a column.
    private static func path(
        _ keys: [String],
        _ entity: CompiledEntity,
        _ model: CompiledModel
    ) -> (PropertySlot, PropertySlot)? {
        guard let relationship = entity.slot(named: keys[0]), !relationship.isTransient,
            let destination = relationship.relationship?.destination,
            let attribute = model[destination].slot(named: keys[1]), attribute.attribute != nil,
            attribute.column != nil
        else { return nil }
        return (relationship, attribute)
    }
}

extension CompiledModel {
    /// Throws an error that names the attribute if an entity has a derived attribute that no store can
    /// compute.
    package func requireDerivations(of entities: Set<EntityIndex>?) throws(StoreError) {
        for entity in self.entities where entities?.contains(entity.index) ?? true {
            for slot in entity.columns where slot.attribute?.derivation != nil {
                if Derivation(slot, of: entity, in: self) == nil {
                    throw Derivation.unsupported(slot, of: entity)
                }
            }
        }
    }
}

extension Derivation {
    package static func unsupported(_ slot: PropertySlot, of entity: CompiledEntity) -> StoreError {
        StoreError(
            .unsupported,
            "\(entity.name).\(slot.name): a derived attribute can be now(), a count or a sum over a to-many "
                + "relationship, an attribute of a to-one relationship, or another attribute as it is or in its "
                + "canonical, lower-case or upper-case form")
    }
}
