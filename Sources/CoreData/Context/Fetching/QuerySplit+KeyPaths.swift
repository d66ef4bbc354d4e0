import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QuerySplit {
    /// Returns the relationships that are followed in memory, to be read beforehand.
    func relationshipKeyPaths(in model: CompiledModel) -> [String] {
        var paths: Set<[String]> = Set(sort.map(\.keys))
        if let predicate {
            _ = NodeRewriter { node in
                if case .keyPath(.evaluatedObject, let keys) = node { paths.insert(keys) }
                return node
            }.rewrite(predicate)
        }
        let steps = Set(paths.map { relationships(along: $0, in: model) })
        return steps.filter { !$0.isEmpty }.map { $0.joined(separator: ".") }.sorted()
    }

    private func relationships(along keys: [String], in model: CompiledModel) -> [String] {
        var entity = model[stored.entity]
        var result: [String] = []
        for key in keys {
            guard let relationship = entity.slot(named: key)?.relationship else { break }
            result.append(key)
            entity = model[relationship.destination]
        }
        return result
    }
}
