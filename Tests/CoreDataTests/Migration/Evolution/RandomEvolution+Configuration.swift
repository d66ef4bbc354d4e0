// A configuration has some of the entities, which may differ between versions.
extension RandomEvolution {
    static let configuration = "Part"

    /// Changes the configuration; related entities are in it together, or not at all.
    mutating func changeConfiguration(percent: Int) {
        let members = Set(sketch.configurations[Self.configuration] ?? [])
        let groups = groups
        var result: [String] = []
        for group in groups {
            let isMember = !members.isDisjoint(with: group)
            if random.chance(percent) != isMember { result += group }
        }
        sketch.configurations[Self.configuration] = result.isEmpty ? groups[0] : result
    }

    private var groups: [[String]] {
        var groups: [Set<String>] = []
        for entity in sketch.entities {
            let linked = entity.properties.filter { $0.arrow != nil }.map(\.destination)
            var group = Set([entity.name] + [entity.parent].compactMap { $0 } + linked)
            for other in groups where !other.isDisjoint(with: group) { group.formUnion(other) }
            groups.removeAll { $0.isSubset(of: group) }
            groups.append(group)
        }
        return groups.map { $0.sorted() }
    }
}
