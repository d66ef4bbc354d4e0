import CoreDataPredicates
import Foundation

/// The printed form of requests, as in Apple's framework; settings with their default value are left out.
extension FetchRequestStorage {
    var printed: String {
        var parts = ["entity: \(resolvedEntityName ?? "(null)")"]
        parts.append("predicate: (\(predicate.map(ModelText.text) ?? "(null)"))")
        parts.append("sortDescriptors: (\(Self.list(sortDescriptors.map { $0.map(Self.order) })))")
        if fetchOffset != 0 { parts.append("offset: \(fetchOffset)") }
        if fetchLimit != 0 { parts.append("limit: \(fetchLimit)") }
        if fetchBatchSize != 0 { parts.append("batch size: \(fetchBatchSize)") }
        parts.append("type: \(resultTypeName)")
        return (parts + switches + properties).map { "\($0); " }.joined()
    }

    private var switches: [String] {
        let usual: [(String, Bool, Bool)] = [
            ("includesSubentities", includesSubentities, true),
            ("includesPendingChanges", includesPendingChanges, true),
            ("includesPropertyValues", includesPropertyValues, true),
            ("returnsObjectsAsFaults", returnsObjectsAsFaults, true),
            ("returnsDistinctResults", returnsDistinctResults, false),
            ("shouldRefreshRefetchedObjects", shouldRefreshRefetchedObjects, false),
        ]
        return usual.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1 ? "YES" : "NO")" }
    }

    private var properties: [String] {
        var parts: [String] = []
        if let relationshipKeyPathsForPrefetching {
            parts.append(
                "relationshipKeyPathsForPrefetching: (\(Self.list(relationshipKeyPathsForPrefetching)))")
        }
        if let propertiesToFetch {
            parts.append("propertiesToFetch: (\(Self.list(propertiesToFetch.map(Self.name))))")
        }
        if let propertiesToGroupBy {
            parts.append("propertiesToGroupBy: (\(Self.list(propertiesToGroupBy.map(Self.name))))")
        }
        if let havingPredicate { parts.append("havingPredicate: (\(ModelText.text(havingPredicate)))") }
        return parts
    }

    private static func list(_ texts: [String]?) -> String {
        texts.map { $0.joined(separator: ", ") } ?? "(null)"
    }

    private static func name(_ property: Any) -> String {
        (property as? NSPropertyDescription)?.name ?? "\(property)"
    }

    private static func order(_ descriptor: NSSortDescriptor) -> String {
        let direction = descriptor.ascending ? "ascending" : "descending"
        let comparison =
            if case .comparator? = (try? descriptor.sortKey())?.collation {
                "comparator"
            } else {
                ModelText.selector(descriptor) ?? "compare:"
            }
        return "(\(ModelText.keyPath(descriptor) ?? "self"), \(direction), \(comparison))"
    }

    private var resultTypeName: String {
        switch resultType {
        case .managedObjectIDResultType: "NSManagedObjectIDResultType"
        case .dictionaryResultType: "NSDictionaryResultType"
        case .countResultType: "NSCountResultType"
        default: "NSManagedObjectResultType"
        }
    }
}
