import CoreDataValues
import Foundation

extension ExpressionValue {
    /// Returns the value at the end of a path by the rules of key-value coding: null gives null, a collection
    /// gives the values of its elements (a set gives the distinct ones that are not null), and operators,
    /// which begin with `@`, aggregate the collection before them.
    package func value(at keys: ArraySlice<String>) throws(EvaluationError) -> ExpressionValue {
        guard let key = keys.first else { return self }
        let rest = keys.dropFirst()
        if key.hasPrefix("@") { return try folded(by: key, rest) }
        if rest.count == 1, rest.first == "@count", case .object(let object) = self,
            let count = object.memberCount(forKey: key, meeting: nil, upTo: .max)
        {
            return .value(.integer(Int64(count)))
        }
        return try value(for: key).value(at: rest)
    }

    private func value(for key: String) throws(EvaluationError) -> ExpressionValue {
        if key == "self" || key == "SELF" { return self }
        switch self {
        case .value(.null): return .null
        case .object(let object): return try object.expressionValue(forKey: key)
        case .value(.composite(let elements)): return .value(elements[key] ?? .null)
        case .collection(let elements, let isOrdered):
            return try Self.collect(elements, isOrdered: isOrdered) { element throws(EvaluationError) in
                try element.value(for: key)
            }
        case .value, .opaque:
            guard let property = property(key) else { throw .unknownKey(key, of: summary) }
            return ExpressionValue(boxing: property)
        }
    }

    /// Returns the value of a property, which may itself be nil; nil for a key that the object does not have.
    private func property(_ key: String) -> Any?? {
        guard let object = unboxed else { return nil }
        var found: Any?
        if case .value(let value) = self {
            if let property = FoundationKeys.value(key, of: value) { return property }
        } else {
            if let property = FoundationKeys.value(key, ofObject: object) { return property }
            found =
                (object as? any ComputedKeys)?.computedValue(forKey: key)
                ?? Self.property(key, of: Mirror(reflecting: object))
        }
        if found == nil { found = Self.property(key, ofAny: object) }
        return found.map { .some($0) }
    }

    /// Returns the value of a property that every object on Apple's systems has.
    private static func property(_ key: String, ofAny object: Any) -> Any? {
        switch key {
        case "description": String(describing: object)
        case "debugDescription": String(reflecting: object)
        case "hash": (object as? AnyHashable)?.hashValue
        default: nil
        }
    }

    /// Returns the value of a stored property of an app's own type.
    private static func property(_ key: String, of mirror: Mirror) -> Any? {
        mirror.children.first { $0.label == key }?.value
            ?? mirror.superclassMirror.flatMap { property(key, of: $0) }
    }

    /// Returns the values of elements. A to-many relationship that follows another one gives one joined
    /// collection. For a set, and for the objects of an ordered relationship, the result has no nulls and no
    /// duplicates.
    private static func collect(
        _ elements: [ExpressionValue],
        isOrdered: Bool,
        _ value: (ExpressionValue) throws(EvaluationError) -> ExpressionValue
    ) throws(EvaluationError) -> ExpressionValue {
        var values: [ExpressionValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            switch try value(element) {
            case .collection(let inner, _): values += inner
            case let single: values.append(single)
            }
        }
        let isList = isOrdered && !elements.contains { $0.rowReference != nil }
        return .collection(isList ? values : distinct(values.filter { !$0.isNull }), isOrdered: isOrdered)
    }

    /// Returns the values without duplicates, in the order of their first occurrence.
    static func distinct(_ values: [ExpressionValue]) -> [ExpressionValue] {
        var seen: Set<ExpressionValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    // MARK: Collection operators

    private func folded(by name: String, _ rest: ArraySlice<String>) throws(EvaluationError)
        -> ExpressionValue
    {
        // As in SQL, null has no elements to count or to add up.
        if isNull { return name == "@count" || name == "@sum" ? .value(.integer(0)) : .null }
        guard case .collection(let elements, let isOrdered) = self else {
            // An object may have a key that begins with `@`.
            if case .object(let object) = self {
                return try object.expressionValue(forKey: name).value(at: rest)
            }
            throw .notACollection(summary, operator: name)
        }
        switch name {
        case "@count": return .value(.integer(Int64(elements.count)))
        case "@sum", "@avg", "@min", "@max":
            let values = try Self.values(of: elements, at: rest)
            switch name {
            case "@sum": return try Aggregates.sum(values)
            case "@avg": return try Aggregates.average(values)
            case "@min": return Aggregates.minimum(values)
            default: return Aggregates.maximum(values)
            }
        case "@unionOfObjects", "@unionOfArrays", "@unionOfSets":
            let (values, next) = try Self.union(of: elements, rest)
            return try ExpressionValue.collection(values, isOrdered: true).value(at: next)
        case "@distinctUnionOfObjects", "@distinctUnionOfArrays", "@distinctUnionOfSets":
            let (values, next) = try Self.union(of: elements, rest)
            let isList = isOrdered && name != "@distinctUnionOfSets"
            return try ExpressionValue.collection(Self.distinct(values), isOrdered: isList).value(at: next)
        default: throw .unsupportedFunction(name)
        }
    }

    /// Returns the values at a path, one for each element, including duplicates.
    private static func values(
        of elements: [ExpressionValue],
        at path: ArraySlice<String>
    ) throws(EvaluationError) -> [ExpressionValue] {
        var values = elements
        var rest = path
        while let key = rest.first {
            if key.hasPrefix("@") {
                return try values.map { v throws(EvaluationError) in try v.value(at: rest) }
            }
            rest = rest.dropFirst()
            var next: [ExpressionValue] = []
            for value in values {
                switch try value.value(for: key) {
                case .collection(let inner, _): next += inner
                case let single: next.append(single)
                }
            }
            values = next
        }
        return values
    }

    /// Returns the values that functions such as `sum:` aggregate: the value of every member at the end of a
    /// path, including duplicates. The path itself would give a set, which contains equal values only once.
    func foldedValue(at keys: [String]) throws(EvaluationError) -> ExpressionValue {
        let owner = try value(at: keys.dropLast())
        guard case .collection(let elements, _) = owner, keys.last?.hasPrefix("@") == false else {
            return try owner.value(at: keys.suffix(1))
        }
        let values = try Self.values(of: elements, at: keys.suffix(1))
        return .collection(values.filter { !$0.isNull }, isOrdered: true)
    }

    /// Returns the values at the keys before the next operator, without nulls, and the remaining keys.
    private static func union(
        of elements: [ExpressionValue],
        _ rest: ArraySlice<String>
    ) throws(EvaluationError) -> ([ExpressionValue], ArraySlice<String>) {
        let path = rest.prefix { !$0.hasPrefix("@") }
        let values = try values(of: elements, at: path).filter { !$0.isNull }
        return (values, rest.dropFirst(path.count))
    }
}
