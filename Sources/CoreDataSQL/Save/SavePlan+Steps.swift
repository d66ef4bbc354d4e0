import CoreDataStore
import CoreDataValues

extension SavePlan {
    /// Returns the plan as steps, in its order. Rows of entities that the store does not hold are left out.
    package func steps(in schema: StoreSchema, _ triggered: TriggeredTables) -> [WriteStep] {
        var steps: [WriteStep] = []
        for (entity, indices) in expected.indices.runs(by: { expected[$0].reference.entity }) {
            guard let table = schema[entity] else { continue }
            steps.append(.require(expected[indices], in: table))
        }
        steps += Self.steps(linkRemovals)
        steps += deletionSteps(schema)
        steps += updateSteps(schema)
        for (entity, indices) in inserts.runs {
            guard let table = schema[entity] else { continue }
            steps.append(
                .insert(
                    inserts, indices, into: table, permanent: permanent,
                    firesTriggers: triggered.contains(table)))
        }
        return steps + Self.steps(linkInsertions)
    }

    private func deletionSteps(_ schema: StoreSchema) -> [WriteStep] {
        struct Shape: Equatable {
            let entity: EntityIndex
            let checksVersion: Bool
        }
        let runs = deletes.indices.runs {
            Shape(entity: deletes[$0].reference.entity, checksVersion: deletes[$0].version != nil)
        }
        return runs.compactMap { shape, indices in
            schema[shape.entity].map { .delete(deletes[indices], from: $0) }
        }
    }

    private func updateSteps(_ schema: StoreSchema) -> [WriteStep] {
        struct Shape: Equatable {
            let entity: EntityIndex
            let changed: ColumnMask
        }
        // Rows that are saved together mostly changed in the same way.
        let runs = updates.indices.runs {
            Shape(entity: updates[$0].reference.entity, changed: updates[$0].changed)
        }
        return runs.compactMap { shape, indices in
            schema[shape.entity].map {
                .update(updates[indices], shape.changed, in: $0, permanent: permanent)
            }
        }
    }

    private static func steps(_ links: [LinkStep]) -> [WriteStep] {
        var steps: [WriteStep] = []
        var rest = links[...]
        while let first = rest.first {
            let alike = rest.prefix { $0.isSpelled(as: first) }
            let count = max(1, alike.count)
            steps.append(.link(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return steps
    }
}
