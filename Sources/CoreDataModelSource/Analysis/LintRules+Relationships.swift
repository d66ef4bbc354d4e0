import CoreDataModelFormat

extension LintRules {
    static let unknownDestination: RelationshipRule = { relationship, entity, model in
        let path = path(relationship, entity)
        if relationship.destinationName.isEmpty {
            return [
                Diagnostic(
                    .error, at: path, "the relationship has no destination entity", facet: "destination")
            ]
        }
        guard model.entity(named: relationship.destinationName) == nil else { return [] }
        let message = "unknown destination entity \"\(relationship.destinationName)\""
        return [Diagnostic(.error, at: path, message, facet: "destination")]
    }

    // MARK: Inverses

    static let missingInverse: RelationshipRule = { relationship, entity, _ in
        guard relationship.inverseName == nil else { return [] }
        let path = path(relationship, entity)
        return [
            Diagnostic(
                .warning, at: path,
                "\(path) should have an inverse: without one, deleting leaves dangling references",
                facet: "inverse")
        ]
    }

    static let unknownInverse: RelationshipRule = { relationship, entity, model in
        guard let name = relationship.inverseName,
            let destination = model.entity(named: relationship.destinationName),
            model.relationship(name, of: destination) == nil
        else { return [] }
        let message = "the inverse \"\(name)\" is no relationship of \"\(destination.name)\""
        return [Diagnostic(.error, at: path(relationship, entity), message, facet: "inverse")]
    }

    static let inverseNotMutual: RelationshipRule = { relationship, entity, model in
        guard let (inverse, destination) = inverse(of: relationship, model) else { return [] }
        if let owner = relationship.inverseEntityName, owner != destination.name,
            !model.lineage(of: destination).contains(where: { $0.name == owner })
        {
            let message =
                "the inverse is declared to be of \"\(owner)\", but the destination is \"\(destination.name)\""
            return [Diagnostic(.error, at: path(relationship, entity), message, facet: "inverse")]
        }
        // The inverse may lead to this entity, or to an ancestor or descendant of it that has the
        // relationship.
        guard inverse.inverseName != relationship.name || !isFamily(inverse.destinationName, entity, model)
        else { return [] }
        return [
            Diagnostic(
                .error, at: path(relationship, entity),
                "the inverse \(destination.name).\(inverse.name) does not have this relationship as its inverse",
                facet: "inverse"
            )
        ]
    }

    private static func inverse(
        of relationship: RelationshipElement, _ model: LintedModel
    ) -> (RelationshipElement, EntityElement)? {
        guard let name = relationship.inverseName,
            let destination = model.entity(named: relationship.destinationName),
            let inverse = model.relationship(name, of: destination)
        else { return nil }
        return (inverse, destination)
    }

    private static func isFamily(_ name: String, _ entity: EntityElement, _ model: LintedModel) -> Bool {
        guard let other = model.entity(named: name) else { return false }
        return model.lineage(of: entity).contains { $0.name == name }
            || model.lineage(of: other).contains { $0.name == entity.name }
    }

    // MARK: Counts and order

    static let orderedToOne: RelationshipRule = { relationship, entity, _ in
        guard relationship.isOrdered, !relationship.isToMany else { return [] }
        let message = "a to-one relationship cannot be ordered"
        return [Diagnostic(.error, at: path(relationship, entity), message, facet: "ordered")]
    }

    static let countsInReverse: RelationshipRule = { relationship, entity, _ in
        let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
        guard minimum < 0 || maximum < -1 || (maximum > 0 && minimum > maximum) else { return [] }
        let message = "the minimum count \(minimum) is above the maximum count \(maximum)"
        return [Diagnostic(.error, at: path(relationship, entity), message, facet: "minimumCount")]
    }

    // MARK: Deleting

    static let noActionOnDelete: RelationshipRule = { relationship, entity, _ in
        guard relationship.deleteRule == .noAction else { return [] }
        return [
            Diagnostic(
                .warning, at: path(relationship, entity),
                "the delete rule No Action may leave relationships to deleted objects", facet: "deleteRule")
        ]
    }

    private static func path(_ relationship: RelationshipElement, _ entity: EntityElement) -> String {
        "\(entity.name).\(relationship.name)"
    }
}
