package import CoreDataModelFormat

/// A linter that reports what Xcode's model compiler does: an error where the model cannot work, a warning
/// where it probably does not do what its author meant.
package struct ModelLinter {
    private let document: ModelDocument
    private let locations: SourceLocations

    /// Makes a linter of a document.
    ///
    /// - Parameter locations: The lines of the elements, which add file and line to the diagnostics.
    package init(_ document: ModelDocument, locations: SourceLocations = SourceLocations()) {
        self.document = document
        self.locations = locations
    }

    /// Returns the diagnostics of the model, then those of its entities in document order.
    package func lint() -> [Diagnostic] {
        let model = LintedModel(document)
        let ofModel = LintRules.model.flatMap { $0(model) }
        let ofEntities = document.entities.flatMap { entity in
            let ofItself = LintRules.entity.flatMap { $0(entity, model) }
            let ofAttributes = entity.attributes.flatMap { attribute in
                LintRules.attribute.flatMap { $0(attribute, entity, model) }
            }
            let ofRelationships = entity.relationships.flatMap { relationship in
                LintRules.relationship.flatMap { $0(relationship, entity, model) }
            }
            return ofItself + ofAttributes + ofRelationships
        }
        return (ofModel + ofEntities).map(locations.locating)
    }
}

extension ModelVersion {
    /// Returns the diagnostics of the reader, then those of the linter.
    package func lint() -> [Diagnostic] {
        diagnostics + ModelLinter(document, locations: locations).lint()
    }
}

/// The lint rules, grouped by the kind of element that they check.
///
/// Each rule is one function, in the file named after its subject.
enum LintRules {
    typealias ModelRule = @Sendable (LintedModel) -> [Diagnostic]
    typealias EntityRule = @Sendable (EntityElement, LintedModel) -> [Diagnostic]
    typealias AttributeRule = @Sendable (AttributeElement, EntityElement, LintedModel) -> [Diagnostic]
    typealias RelationshipRule = @Sendable (RelationshipElement, EntityElement, LintedModel) -> [Diagnostic]

    static let model: [ModelRule] = [
        duplicateEntities, duplicateConfigurations, unknownConfigurationMembers, duplicateFetchRequests,
        fetchRequestTemplates, duplicateComposites, compositeElements,
    ]

    static let entity: [EntityRule] = [
        illegalEntityName, unknownParent, inheritanceCycle, abstractLeaf, duplicateProperties,
        illegalPropertyNames, unknownConstrainedProperties, unknownIndexedProperties, duplicateIndexes,
        fetchedProperties,
    ]

    static let attribute: [AttributeRule] = [
        undefinedType, badDefault, defaultOutsideLimits, limitsInReverse, badRegularExpression,
        insecureTransformer, unknownComposite, badDerivation, externalStorageOfSmallValues,
        fullTextIndexOfOtherValues,
    ]

    static let relationship: [RelationshipRule] = [
        unknownDestination, missingInverse, unknownInverse, inverseNotMutual, orderedToOne,
        countsInReverse, noActionOnDelete,
    ]
}
