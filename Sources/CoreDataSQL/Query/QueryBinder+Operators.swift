import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Key paths with `@`: many values folded into one.
extension QueryBinder {
    // MARK: Collection operators

    mutating func apply(
        _ name: String,
        to rest: ArraySlice<String>,
        from point: PathPoint,
        collection: QueryScope?,
        of path: [String]
    ) throws(StoreError) -> PathEnd {
        var (point, collection) = (point, collection)
        try meetOnce(&point, &collection)
        if KeyPathOperators.unions.contains(name) {
            guard collection != nil else { throw .operatorNeedsToMany(name, in: path) }
            let names = rest.prefix { !$0.hasPrefix("@") }
            var end = try walk(names, from: point, collection: collection, of: path)
            end.isDistinct = name == "@distinctUnionOfObjects"
            let last = rest.dropFirst(names.count)
            guard let next = last.first else { return end }
            guard let function = Self.collectionOperators[next], last.count == 1 else {
                throw StoreError(
                    .inexpressible, "keypath \(path.joined(separator: ".")): SQL has no \(next)")
            }
            return PathEnd(value: try fold(function, end, describing: path))
        }
        guard let function = Self.collectionOperators[name] else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): unknown collection operator \(name)")
        }
        guard collection != nil || allowsAggregates else { throw .operatorNeedsToMany(name, in: path) }
        guard !rest.contains(where: { $0.hasPrefix("@") }) else {
            throw StoreError(
                .inexpressible, "keypath \(path.joined(separator: ".")): SQL cannot aggregate an aggregate")
        }
        if function == .count { try checkIgnored(rest, from: point, of: path) }
        let followed = function == .count ? [] : rest
        let end = try walk(followed, from: point, collection: collection, of: path)
        return PathEnd(value: try fold(function, named: name, end, describing: path))
    }

    /// Checks the keys behind `@count`, which change nothing but have to be the entity's.
    private mutating func checkIgnored(
        _ keys: ArraySlice<String>, from point: PathPoint, of path: [String]
    ) throws(StoreError) {
        if keys.isEmpty { return }
        let alias = newAlias()
        let row = PathPoint(
            scope: QueryScope(.named(try storedTable(of: point.entity).tableName), alias: alias),
            entity: point.entity, key: BoundColumn(alias: alias, name: NameMangling.key), row: alias)
        _ = try walk(keys, from: row, collection: nil, of: path)
    }

    private static let collectionOperators: [String: AggregateFunction] = [
        "@count": .count, "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
    ]

    /// Returns one value made of the values of a path: those of a sub-select, or of the statement's own rows.
    ///
    /// - Parameter name: The function's name as written, for errors.
    func fold(
        _ function: AggregateFunction,
        named name: String? = nil,
        _ end: PathEnd,
        describing path: [String]
    ) throws(StoreError) -> BoundExpression {
        if end.point != nil, function != .count { throw .objectsHaveNo(name ?? "\(function)", in: path) }
        // Objects are rows, which count even where a value is null.
        let countsRows = end.point != nil && end.collection != nil && !end.isDistinct
        // Where values are only counted, their bytes do not matter.
        let value = function == .count && !end.isDistinct ? end.value : end.value.contents
        let operand = countsRows ? nil : value
        let type: BoundType =
            switch function {
            case .count: .attribute(.integer64)
            case .average, .median, .deviation: .attribute(.double)
            case .sum, .minimum, .maximum, .mode: value.type
            }
        let form: BoundExpression.Form
        if let scope = end.collection {
            form = .subselect(function, operand, isDistinct: end.isDistinct, scope.source)
        } else {
            form = .aggregate(function, operand, isDistinct: end.isDistinct)
        }
        return BoundExpression(form: form, type: type, isNullable: function != .count && function != .sum)
    }
}
