import CoreDataPredicates
import CoreDataValues

extension ArchivedModelWriter {
    mutating func fetchRequest(_ request: FetchRequestElement, at path: String) throws -> PropertyList {
        var flags: FetchRequestFlags = []
        if request.returnsDistinctResults { flags.insert(.returnsDistinctResults) }
        if request.includesSubentities { flags.insert(.includesSubentities) }
        if request.includesPropertyValues { flags.insert(.includesPropertyValues) }
        if request.returnsObjectsAsFaults { flags.insert(.returnsObjectsAsFaults) }
        if request.includesPendingChanges { flags.insert(.includesPendingChanges) }
        let predicate = try request.predicate.map {
            try archive.predicate(PredicateText.predicate($0, at: path))
        }
        let prefetched = request.prefetchedKeyPaths
        return archive.object(
            "NSFetchRequest",
            [
                "NSEntity": entities[request.entityName] ?? ArchiveBuilder.null,
                "NSPredicate": predicate ?? ArchiveBuilder.null,
                "NSSortDescriptors": sortDescriptors(request.sort),
                "NSFetchLimit": .integer(Int64(request.fetchLimit)),
                "NSFetchOffset": .integer(Int64(request.fetchOffset)),
                "NSBatchSize": .integer(Int64(request.fetchBatchSize)),
                "NSResultType": .integer(Int64(request.resultType)),
                "NSValuesToFetch": ArchiveBuilder.null,
                "NSValuesToGroupBy": ArchiveBuilder.null,
                "NSHavingPredicate": ArchiveBuilder.null,
                "NSRelationshipKeyPathsForPrefetching":
                    prefetched.isEmpty ? ArchiveBuilder.null : archive.strings(prefetched),
                "NSAllocationType": .integer(0),
                "NSHasFetchRequestFlags": .boolean(true),
                "NSFetchRequestFlags": .integer(Int64(flags.rawValue)),
            ])
    }

    private mutating func sortDescriptors(_ sort: [FetchRequestElement.Sort]) -> PropertyList {
        guard !sort.isEmpty else { return ArchiveBuilder.null }
        return archive.collection(
            sort.map { key in
                archive.object(
                    "NSSortDescriptor",
                    [
                        "NSKey": archive.string(key.keyPath), "NSAscending": .boolean(key.isAscending),
                        "NSSelector": archive.string(key.selector ?? "compare:"),
                        "NSReverseNullOrder": .boolean(false),
                    ])
            })
    }

    /// Returns the fields for the indexes and constraints of an entity. Fetch indexes that contain only
    /// properties are repeated in the old form.
    mutating func indexes(of entity: EntityElement) throws -> [String: PropertyList] {
        var fields: [String: PropertyList] = [:]
        if !entity.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = nameLists(entity.uniquenessConstraints)
        }
        let compound = entity.fetchIndexes.compactMap(\.plainPropertyNames).filter { names in
            names.count > 1 && !entity.relationships.contains { names.contains($0.name) }
        }
        if !entity.fetchIndexes.isEmpty || !entity.compoundIndexes.isEmpty {
            fields["NSCompoundIndexes"] = nameLists(compound + entity.compoundIndexes)
        }
        guard !entity.fetchIndexes.isEmpty else { return fields }
        let indexes = try entity.fetchIndexes.map { try fetchIndex($0, of: entity.name) }
        fields["NSFetchIndexDescriptions"] = archive.collection(indexes, "NSMutableArray")
        return fields
    }

    private mutating func nameLists(_ lists: [[String]]) -> PropertyList {
        let arrays = lists.map { archive.strings($0, "NSMutableArray") }
        return archive.collection(arrays, "NSMutableArray")
    }

    private mutating func fetchIndex(
        _ index: FetchIndexElement, of entity: String
    ) throws -> PropertyList {
        let path = ElementPath.fetchIndex(index.name, of: entity)
        let reference = archive.reserve()
        var elements: [PropertyList] = []
        for element in index.elements {
            var fields: [String: PropertyList] = [
                "NSFetchIndexDescription": reference,
                "NSFetchIndexElementType": .integer(Int64(element.kind.rawValue)),
                "NSAscending": .boolean(element.isAscending),
            ]
            if let text = element.expression {
                indexedExpressionCount += 1
                let name = "expression\(indexedExpressionCount)"
                fields["NSIndexedProperty"] = try expressionDescription(
                    text, named: name, type: element.expressionType, at: path)
                fields["NSPropertyName"] = archive.string(name)
            } else {
                fields["NSPropertyName"] = archive.string(element.propertyName)
            }
            elements.append(archive.object("NSFetchIndexElementDescription", fields))
        }
        let predicate = try index.partialPredicate.map {
            try archive.predicate(PredicateText.predicate($0, at: path))
        }
        archive.fill(
            reference, "NSFetchIndexDescription",
            [
                "NSIndexName": archive.string(index.name),
                "NSIndexElements": archive.collection(elements),
                "NSPartialIndexPredicate": predicate ?? ArchiveBuilder.null,
                "NSEntity": entities[entity]!,
            ])
        return reference
    }

    private mutating func expressionDescription(
        _ text: String, named name: String, type: AttributeType, at path: String
    ) throws -> PropertyList {
        var common = PropertyFields(
            name: name, isOptional: true, isTransient: false, isIndexedBySpotlight: false,
            renamingIdentifier: nil, versionHashModifier: nil, userInfo: [])
        common.isReadOnly = true
        var fields = try self.fields(common)
        fields["NSEntity"] = ArchiveBuilder.null
        fields["NSExpression"] = try archive.expression(PredicateText.expression(text, at: path))
        fields["NSExpressionType"] = .integer(Int64(type.rawValue))
        return archive.object("NSExpressionDescription", fields)
    }
}

extension FetchIndexElement {
    /// The names of the indexed properties; nil if the old form cannot express the index, since it has
    /// expressions, is an R-tree, or covers only some rows.
    var plainPropertyNames: [String]? {
        guard partialPredicate == nil else { return nil }
        let names = elements.compactMap { $0.kind == .binary ? $0.propertyName : nil }
        return names.count == elements.count ? names : nil
    }
}

extension EntityElement {
    /// Returns whether there is an ascending index of this attribute alone. The index may cover only some
    /// rows.
    package func hasIndex(ofOnly attribute: AttributeElement) -> Bool {
        fetchIndexes.contains { index in
            index.elements.map(\.propertyName) == [attribute.name] && index.elements[0].kind == .binary
                && index.elements[0].isAscending
        }
    }
}
