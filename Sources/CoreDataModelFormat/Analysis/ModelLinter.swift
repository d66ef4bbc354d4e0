/// Finds what is wrong or doubtful in a model, as Xcode's model compiler does: an error where the model
/// cannot work, a warning where it likely does not do what was meant.
package struct ModelLinter {
    private let document: ModelDocument
    private let locations: SourceLocations

    /// `locations` adds file and line to the diagnostics.
    package init(_ document: ModelDocument, locations: SourceLocations = SourceLocations()) {
        self.document = document
        self.locations = locations
    }

    /// In order of the document; the same model gives the same list.
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
    /// What the reader noticed and what the linter finds.
    package func lint() -> [Diagnostic] {
        diagnostics + ModelLinter(document, locations: locations).lint()
    }
}

/// Every rule by what it is about. One function per rule, in the files named after the subjects.
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
