import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Key paths with `@`: many values folded into one.
extension QueryBinder {
    // MARK: Collection operators

    mutating func apply(
        _ name: String,
        to rest: ArraySlice<String>,
        from place: QueryPlace,
        collection: QueryScope?,
        of path: [String]
    ) throws(StoreError) -> PathEnd {
        var (place, collection) = (place, collection)
        try meetOnce(&place, &collection)
        if name == "@distinctUnionOfObjects" || name == "@unionOfObjects" {
            guard collection != nil else { throw operatorNeedsToMany(name, path) }
            let names = rest.prefix { !$0.hasPrefix("@") }
            var end = try walk(names, from: place, collection: collection, of: path)
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
        guard collection != nil || allowsAggregates else { throw operatorNeedsToMany(name, path) }
        let end = try walk(name == "@count" ? [] : rest, from: place, collection: collection, of: path)
        return PathEnd(value: try fold(function, end, describing: path))
    }

    private static let collectionOperators: [String: AggregateFunction] = [
        "@count": .count, "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
    ]

    private func operatorNeedsToMany(_ name: String, _ path: [String]) -> StoreError {
        StoreError(
            .unsupported,
            "keypath \(path.joined(separator: ".")): \(name) needs a to-many relationship before it")
    }

    /// One value out of the values of a path: of a sub-select, or of the statement's own rows.
    func fold(
        _ function: AggregateFunction,
        _ end: PathEnd,
        describing path: [String]
    ) throws(StoreError) -> BoundExpression {
        if end.place != nil, function != .count {
            throw StoreError(
                .unsupported, "keypath \(path.joined(separator: ".")): objects have no \(function)")
        }
        // Objects are rows, which are there even where a value is null.
        let countsRows = end.place != nil && end.collection != nil && !end.isDistinct
        // Which bytes they are does not matter where values are only counted.
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
