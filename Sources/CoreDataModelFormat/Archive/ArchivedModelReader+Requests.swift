import CoreDataPredicates
import CoreDataValues

extension ArchivedModelReader {
    mutating func fetchRequest(
        _ object: ArchivedObject, named name: String, at path: String
    ) -> FetchRequestElement {
        let entityName = object.object("NSEntity")?.string("NSEntityName") ?? object.string("NSEntityName")
        var request = FetchRequestElement(name: name, entityName: entityName ?? "")
        request.predicate = object.object("NSPredicate").flatMap { predicateText($0, at: path) }
        request.sort = object.objects("NSSortDescriptors").map(ArchivedSortDescriptor.init)
            .compactMap { descriptor in
                descriptor.key.map {
                    FetchRequestElement.Sort(
                        keyPath: $0, isAscending: descriptor.isAscending, selector: descriptor.selector)
                }
            }
        request.fetchLimit = object.integer("NSFetchLimit") ?? 0
        request.fetchOffset = object.integer("NSFetchOffset") ?? 0
        request.fetchBatchSize = object.integer("NSBatchSize") ?? 0
        request.resultType = object.integer("NSResultType") ?? 0
        request.prefetchedKeyPaths = object.strings("NSRelationshipKeyPathsForPrefetching")
        let flags = FetchRequestFlags(rawValue: object.integer("NSFetchRequestFlags") ?? 30)
        request.returnsDistinctResults = flags.contains(.returnsDistinctResults)
        request.includesSubentities = flags.contains(.includesSubentities)
        request.includesPropertyValues = flags.contains(.includesPropertyValues)
        request.returnsObjectsAsFaults = flags.contains(.returnsObjectsAsFaults)
        request.includesPendingChanges = flags.contains(.includesPendingChanges)
        return request
    }

    mutating func readIndexes(of object: ArchivedObject, into entity: inout EntityElement) {
        entity.uniquenessConstraints = nameLists(object, "NSUniqueTuples")
        for index in object.objects("NSFetchIndexDescriptions") {
            entity.fetchIndexes.append(fetchIndex(index, of: entity.name))
        }
        // The archive repeats fetch indexes in the old form, as compound indexes.
        let repeated = Set(entity.fetchIndexes.map { $0.elements.map { $0.propertyName ?? "" } })
        entity.compoundIndexes = nameLists(object, "NSCompoundIndexes").filter { !repeated.contains($0) }
    }

    private func nameLists(_ object: ArchivedObject, _ key: String) -> [[String]] {
        object.objects(key).map { $0.strings("NS.objects") }
    }

    private mutating func fetchIndex(_ object: ArchivedObject, of entity: String) -> FetchIndexElement {
        let name = object.string("NSIndexName") ?? ""
        let path = ElementPath.fetchIndex(name, of: entity)
        return FetchIndexElement(
            name: name,
            elements: object.objects("NSIndexElements").map { fetchIndexElement($0, at: path) },
            partialPredicate: object.object("NSPartialIndexPredicate").flatMap {
                predicateText($0, at: path)
            })
    }

    private mutating func fetchIndexElement(
        _ object: ArchivedObject, at path: String
    ) -> FetchIndexElement.Element {
        var element = FetchIndexElement.Element(propertyName: object.string("NSPropertyName"))
        element.kind =
            FetchIndexElement.Kind(rawValue: object.integer("NSFetchIndexElementType") ?? 0) ?? .binary
        element.isAscending = object.flag("NSAscending")
        if let expression = object.object("NSIndexedProperty"),
            let node = expression.object("NSExpression")
        {
            element.propertyName = nil
            element.expression = expressionText(node, at: path)
            let number = expression.integer("NSExpressionType") ?? 0
            element.expressionType = AttributeType(rawValue: number) ?? .undefined
        }
        return element
    }
}

/// The bits of `NSFetchRequestFlags`, 30 by default.
///
/// No known archive shows which of the four default bits is which, so they are taken in the order in which
/// `NSFetchRequest` declares the properties.
struct FetchRequestFlags: OptionSet {
    let rawValue: Int

    static let returnsDistinctResults = FetchRequestFlags(rawValue: 1)
    static let includesSubentities = FetchRequestFlags(rawValue: 2)
    static let includesPropertyValues = FetchRequestFlags(rawValue: 4)
    static let returnsObjectsAsFaults = FetchRequestFlags(rawValue: 8)
    static let includesPendingChanges = FetchRequestFlags(rawValue: 16)
}
