/// The operation of an `@NSManaged` method on a to-many property, which follows from the method's name by the
/// patterns of Objective-C accessors.
package struct ToManyMethod: Sendable, Hashable {
    package enum Operation: Sendable, Hashable {
        case add, remove, insertAt, removeAt, replaceAt
        case readPrimitive, writePrimitive
    }

    package var operation: Operation
    /// The property's name with its first letter still in upper case.
    package var capitalizedKey: String

    /// Reads a method's pattern; nil for a method that follows no accessor pattern.
    package init?(_ method: ManagedMethodDeclaration) {
        let written = method.selector ?? Self.selector(of: method)
        guard let match = Self.match(written) ?? Self.match(Self.selector(of: method)) else { return nil }
        self = match
    }

    private init(_ operation: Operation, _ key: some StringProtocol) {
        self.operation = operation
        capitalizedKey = String(key)
    }

    /// Returns the base name and the labels, each followed by a colon: `insertIntoTweets:at:`.
    private static func selector(of method: ManagedMethodDeclaration) -> String {
        guard let first = method.parameters.first else { return method.name }
        let head = first.label.map { "\(method.name)#\($0):" } ?? "\(method.name):"
        return head + method.parameters.dropFirst().map { ($0.label ?? "") + ":" }.joined()
    }

    /// Prefix, suffix and meaning. The first matching pattern is used, so longer patterns come first.
    private static let patterns: [(prefix: String, suffix: String, operation: Operation)] = [
        ("insertInto", ":at:", .insertAt), ("removeFrom", "#at:", .removeAt),
        ("insertObject:in", "AtIndex:", .insertAt), ("removeObjectFrom", "AtIndex:", .removeAt),
        ("replaceObjectIn", "AtIndex:withObject:", .replaceAt),
        ("insert", ":atIndexes:", .insertAt), ("insert", ":at:", .insertAt),
        ("remove", "AtIndexes:", .removeAt), ("remove", "#at:", .removeAt),
        ("addTo", ":", .add), ("removeFrom", ":", .remove),
        ("add", "Object:", .add), ("remove", "Object:", .remove),
        ("add", ":", .add), ("remove", ":", .remove),
        ("setPrimitive", ":", .writePrimitive), ("primitive", "", .readPrimitive),
    ]

    private static func match(_ selector: String) -> ToManyMethod? {
        if let replace = matchReplace(selector) { return replace }
        for (prefix, suffix, operation) in patterns
        where selector.hasPrefix(prefix) && selector.hasSuffix(suffix) {
            let key = selector.dropFirst(prefix.count).dropLast(suffix.count)
            guard let first = key.first, first.isUppercase || first == "_",
                !key.contains(where: { ":#".contains($0) })
            else { continue }
            return ToManyMethod(operation, key)
        }
        return nil
    }

    /// Matches `replaceTweets(at:with:)` and `replaceTweetsAtIndexes:withTweets:`.
    private static func matchReplace(_ selector: String) -> ToManyMethod? {
        guard selector.hasPrefix("replace"), !selector.hasPrefix("replaceObjectIn") else { return nil }
        let rest = selector.dropFirst("replace".count)
        for mark in ["#at:with:", "AtIndexes:with"] {
            guard let range = rest.firstRange(of: mark) else { continue }
            return ToManyMethod(.replaceAt, rest[..<range.lowerBound])
        }
        return nil
    }
}
