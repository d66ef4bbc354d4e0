import CoreDataValues

/// What each mapping has made of which source object, by reference; objects that are in no store yet follow when they get
/// their permanent one.
struct MigrationAssociations {
    /// Of one entity mapping. Nearly always one object becomes one other, which costs an entry each way.
    private struct Pairs {
        var destinations = Links()
        var sources = Links()
        /// Destinations as they were made.
        var made: [ObjectReference] = []
    }

    private struct Links {
        private var first: [ObjectReference: ObjectReference] = [:]
        private var others: [ObjectReference: [ObjectReference]] = [:]

        subscript(reference: ObjectReference) -> [ObjectReference] {
            first[reference].map { [$0] + (others[reference] ?? []) } ?? []
        }

        /// False if the link is there already.
        mutating func add(_ other: ObjectReference, to reference: ObjectReference) -> Bool {
            guard !self[reference].contains(other) else { return false }
            if first[reference] == nil {
                first[reference] = other
            } else {
                others[reference, default: []].append(other)
            }
            return true
        }

        mutating func replace(_ old: ObjectReference, by new: ObjectReference, at reference: ObjectReference)
        {
            if first[reference] == old { first[reference] = new }
            if let index = others[reference]?.firstIndex(of: old) { others[reference]![index] = new }
        }

        mutating func rename(_ old: ObjectReference, to new: ObjectReference) {
            if let other = first.removeValue(forKey: old) { first[new] = other }
            if let rest = others.removeValue(forKey: old) { others[new] = rest }
        }
    }

    private var pairs: [String: Pairs] = [:]
    /// The mappings in the order in which they have made something.
    private var names: [String] = []
    /// Where the objects without a permanent reference begin in `made`.
    private var settled: [String: Int] = [:]

    mutating func add(_ source: ObjectReference, _ destination: ObjectReference, _ mapping: String) {
        if pairs[mapping] == nil { names.append(mapping) }
        guard pairs[mapping, default: Pairs()].destinations.add(destination, to: source) else { return }
        let isNew = pairs[mapping]!.sources[destination].isEmpty
        _ = pairs[mapping]!.sources.add(source, to: destination)
        if isNew { pairs[mapping]!.made.append(destination) }
    }

    /// Everything that a mapping has made, in order.
    func made(by mapping: String) -> [ObjectReference] { pairs[mapping]?.made ?? [] }

    func destinations(of source: ObjectReference, _ mapping: String) -> [ObjectReference] {
        pairs[mapping]?.destinations[source] ?? []
    }

    /// Of all mappings.
    func destinations(of source: ObjectReference) -> [ObjectReference] {
        names.flatMap { pairs[$0]?.destinations[source] ?? [] }
    }

    func sources(of destination: ObjectReference, _ mapping: String) -> [ObjectReference] {
        pairs[mapping]?.sources[destination] ?? []
    }

    /// Takes over what became of temporary references; nil for what still is one.
    mutating func follow(_ permanent: (ObjectReference) -> ObjectReference?) {
        for name in names {
            var rest: Int?
            for index in (settled[name] ?? 0)..<pairs[name]!.made.count {
                let old = pairs[name]!.made[index]
                guard old.isTemporary else { continue }
                guard let new = permanent(old) else {
                    rest = rest ?? index
                    continue
                }
                for source in pairs[name]!.sources[old] {
                    pairs[name]!.destinations.replace(old, by: new, at: source)
                }
                pairs[name]!.sources.rename(old, to: new)
                pairs[name]!.made[index] = new
            }
            settled[name] = rest ?? pairs[name]!.made.count
        }
    }
}
