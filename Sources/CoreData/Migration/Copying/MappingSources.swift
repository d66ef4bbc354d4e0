import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The source objects of an entity mapping, in batches.
///
/// In a SQLite store the objects of a request without order, limit and offset are read batch by batch, in the
/// order of the keys. For all other requests and stores, one reference per object is held.
struct MappingSources {
    private let manager: NSMigrationManager
    private let mapping: NSEntityMapping

    init(_ manager: NSMigrationManager, _ mapping: NSEntityMapping) {
        self.manager = manager
        self.mapping = mapping
    }

    /// Calls a closure with the objects of each batch.
    ///
    /// - Parameter body: The closure; its second argument is the part of all objects, from 0 to 1, that has
    ///   been read with this batch.
    func forEachBatch(of size: Int, _ body: ([NSManagedObject], Float) throws -> Void) throws {
        guard let entity = manager.sourceEntity(for: mapping) else { return }
        guard let request = try request() else {
            return try forEachBatch(of: size, in: try evaluatedObjects(), body)
        }
        let isWhole =
            request.sortDescriptors?.isEmpty ?? true && request.fetchLimit + request.fetchOffset == 0
        if isWhole, manager.source.isPaged {
            try forEachPage(of: size, request, request.entity ?? entity, body)
        } else {
            try forEachBatch(of: size, in: try reading { try manager.source.references(of: request) }, body)
        }
    }

    private func forEachPage(
        of size: Int, _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription,
        _ body: ([NSManagedObject], Float) throws -> Void
    ) throws {
        let source = manager.source
        let subentities = request.includesSubentities
        let count = try reading { try source.count(of: entity, includesSubentities: subentities) }
        var seen = 0
        var last: ObjectReference?
        while true {
            let (page, objects) = try reading {
                let page = try source.page(
                    of: entity, includesSubentities: subentities, after: last, limit: size)
                return (page, try source.objects(page, where: request.predicate))
            }
            seen += page.count
            try body(objects, Float(seen) / Float(max(count, 1)))
            guard page.count == size else { return }
            last = page.last
        }
    }

    private func forEachBatch(
        of size: Int, in references: [ObjectReference], _ body: ([NSManagedObject], Float) throws -> Void
    ) throws {
        for start in stride(from: 0, to: references.count, by: size) {
            let end = min(start + size, references.count)
            let objects = try reading { try manager.source.objects(Array(references[start..<end])) }
            try body(objects, Float(end) / Float(references.count))
        }
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw MigrationFailure.source(manager.source.store?.url ?? .nowhere, error)
        }
    }

    // MARK: Expressions

    /// Returns the request to fetch with; nil for objects that an expression yields itself.
    private func request() throws -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let node = mapping.sourceExpression?.node else {
            return manager.fetchRequest(
                forSourceEntityNamed: mapping.sourceEntityName ?? "", predicate: nil)
        }
        guard
            case .fetch(let request, .keyPath(.variable(NSMigrationManagerKey), ["sourceContext"]), false) =
                node
        else { return nil }
        return try value(of: request).unboxed as? NSFetchRequest<any NSFetchRequestResult>
    }

    private func evaluatedObjects() throws -> [ObjectReference] {
        guard let node = mapping.sourceExpression?.node else { return [] }
        return try objects(in: try value(of: node)).map(manager.source.reference)
    }

    private func value(of node: ExpressionNode) throws -> ExpressionValue {
        do throws(EvaluationError) {
            return try ExpressionEvaluator(node).value(
                for: .object(manager),
                variables: [
                    NSMigrationManagerKey: .object(manager), NSMigrationEntityMappingKey: .object(mapping),
                ])
        } catch {
            throw failure(error.description)
        }
    }

    private func objects(in value: ExpressionValue) throws -> [NSManagedObject] {
        switch value {
        case .value(.null): return []
        case .collection(let elements, _): return try elements.flatMap(objects)
        default:
            guard let object = value.unboxed as? NSManagedObject,
                object.managedObjectContext === manager.sourceContext
            else { throw failure("\(value.summary) is no object of the source") }
            return [object]
        }
    }

    private func failure(_ reason: String) -> NSError {
        MigrationFailure.error(
            "the mapping \(mapping.name ?? ""): its source cannot be found: \(reason)",
            entity: mapping.sourceEntityName)
    }
}
