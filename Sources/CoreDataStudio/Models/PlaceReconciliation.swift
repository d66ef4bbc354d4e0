import CoreDataEditing

/// The places of entities beside a model's files, made of two states that come from a third: as they are here,
/// and as another program has saved them.
struct PlaceReconciliation {
    /// The places by version and name of the entity.
    private(set) var versions: [String: [String: GraphPoint]] = [:]
    /// The entities that both sides moved, each to another place. They stay where they are here.
    private(set) var conflicts: [MergeConflict] = []

    init(base: GraphPositionsFile, ours: ModelState, theirs: GraphPositionsFile) {
        let own = Dictionary(ours.versions.map { ($0.name, $0.namedPositions) }) { first, _ in first }
        for version in Set(own.keys).union(theirs.versions.keys) {
            let (former, others) = (base.versions[version] ?? [:], theirs.versions[version] ?? [:])
            guard let mine = own[version] else {
                versions[version] = others
                continue
            }
            for name in Set(mine.keys).union(others.keys).sorted() {
                let (was, here, there) = (former[name], mine[name], others[name])
                versions[version, default: [:]][name] = here == was ? there : here
                if here != was, there != was, here != there {
                    conflicts.append(
                        MergeConflict(
                            path: name, setting: "place", base: was?.text, ours: here?.text,
                            theirs: there?.text))
                }
            }
        }
    }
}

extension GraphPoint {
    fileprivate var text: String { "\(Int(x)), \(Int(y))" }
}
