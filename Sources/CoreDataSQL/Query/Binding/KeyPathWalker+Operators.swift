import CoreDataPredicates
import CoreDataStore

/// The collection operators of key paths, such as `@count`.
extension KeyPathWalker {
    /// Applies a collection operator to the values at the keys after it.
    func apply(
        _ name: String,
        to rest: ArraySlice<String>,
        from start: PathPoint
    ) throws(StoreError) -> PathEnd {
        let point = try distinct(start)
        if KeyPathOperators.unions.contains(name) { return try union(name, of: rest, from: point) }
        guard let function = Self.collectionOperators[name] else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): unknown collection operator \(name)")
        }
        guard point.isMember || scope.allowsAggregates else { throw .operatorNeedsToMany(name, in: path) }
        guard !rest.contains(where: { $0.hasPrefix("@") }) else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): SQL cannot aggregate an aggregate")
        }
        if function == .count { try checkIgnored(rest, from: point) }
        let end = try walk(function == .count ? [] : rest, from: point)
        return PathEnd(value: try folded(end, by: function, named: name))
    }

    /// Binds `@unionOfObjects` and `@distinctUnionOfObjects`, and one operator after their keys.
    private func union(
        _ name: String,
        of rest: ArraySlice<String>,
        from point: PathPoint
    ) throws(StoreError) -> PathEnd {
        guard point.isMember else { throw .operatorNeedsToMany(name, in: path) }
        let names = rest.prefix { !$0.hasPrefix("@") }
        var end = try walk(names, from: point)
        end.isDistinct = name == "@distinctUnionOfObjects"
        let last = rest.dropFirst(names.count)
        guard let next = last.first else { return end }
        guard let function = Self.collectionOperators[next], last.count == 1 else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): SQL has no \(next)")
        }
        return PathEnd(value: try folded(end, by: function))
    }

    private func folded(
        _ end: PathEnd, by function: AggregateFunction, named name: String? = nil
    ) throws(StoreError) -> BoundExpression {
        if function.needsNumbers, end.point == nil {
            try scope.requireNumbers([end.value], in: .keyPath(operand: .evaluatedObject, keys: path))
        }
        return try end.folded(by: function, named: name, describing: path)
    }

    /// Checks that the keys after `@count` exist. They change nothing else.
    private func checkIgnored(_ keys: ArraySlice<String>, from point: PathPoint) throws(StoreError) {
        if keys.isEmpty { return }
        let row = PathPoint(rowOf: try schema.table(of: point.entity), within: point.select)
        _ = try walk(keys, from: row)
    }

    private static let collectionOperators: [String: AggregateFunction] = [
        "@count": .count, "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
    ]
}
