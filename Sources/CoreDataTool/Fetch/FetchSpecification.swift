package import CoreData
import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataStore

/// A fetch as the user typed it, with names and texts.
package struct FetchSpecification: Sendable, Hashable {
    package var entity: String
    package var predicate: String?
    /// The sort criteria: `name`, `name:desc`, `name:localized`, `author.name:desc:insensitive`.
    package var sort: [String]
    /// The key paths to show; empty for all attributes and to-one relationships.
    package var properties: [String]
    /// The greatest number of objects to fetch; 0 for all.
    package var limit: Int
    package var offset: Int
    package var includesSubentities: Bool

    package init(
        entity: String, predicate: String? = nil, sort: [String] = [], properties: [String] = [],
        limit: Int = 0, offset: Int = 0, includesSubentities: Bool = true
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.properties = properties
        self.limit = limit
        self.offset = offset
        self.includesSubentities = includesSubentities
    }

    /// Returns the request, after checking every name against the model.
    package func request(in model: StoreModel) throws -> NSFetchRequest<NSManagedObject> {
        let entity = try model.entity(named: entity)
        guard limit >= 0, offset >= 0 else { throw ToolError("limit and offset cannot be negative") }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.predicate = try predicate.map { try NSPredicate(validating: $0) }
        request.sortDescriptors = try sort.map { try SortText($0, of: entity, in: model).descriptor }
        request.fetchLimit = limit
        request.fetchOffset = offset
        request.includesSubentities = includesSubentities
        return request
    }

    /// Returns the fetch for the layers below the framework, after checking every name against the model.
    package func query(in model: StoreModel, shape: ResultShape) throws -> FetchQuery {
        let entity = try model.entity(named: entity)
        return FetchQuery(
            entity: entity.index, includesSubentities: includesSubentities,
            predicate: try predicate.map { try FormatParser.predicate($0) },
            sort: try sort.map { try SortText($0, of: entity, in: model).key }, limit: limit, offset: offset,
            shape: shape)
    }
}
