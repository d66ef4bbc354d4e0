/// The order in which tables or columns are renamed, so that no two have the same name at any time.
struct RenameOrder {
    struct Step: Equatable {
        let from: SQLIdentifier
        let to: SQLIdentifier
    }

    /// Returns the renamings in order. Elements that exchange their names take a temporary one in between.
    ///
    /// - Parameters:
    ///   - renames: The new name of each element by its present one.
    ///   - occupied: The names in use now.
    ///   - wanted: The names that have to be free in the end.
    ///   - longest: The greatest number of bytes of a name; nil if names may have any length.
    static func steps(
        _ renames: [SQLIdentifier: SQLIdentifier], occupied: Set<SQLIdentifier>,
        wanted: Set<SQLIdentifier> = [], longest: Int?
    ) -> [Step] {
        var names = occupied
        var open = renames.filter { $0.key != $0.value }
        var steps: [Step] = []
        func move(_ from: SQLIdentifier, _ to: SQLIdentifier) {
            steps.append(Step(from: from, to: to))
            names.remove(from)
            names.insert(to)
        }
        // Elements that are not renamed, but have a name that another element gets or that has to be free.
        let final = Set(renames.values).union(wanted)
        for name in final.intersection(occupied).sorted() where renames[name] == nil {
            move(name, temporaryName(for: name, names, longest: longest))
        }
        while !open.isEmpty {
            if let free = open.keys.sorted().first(where: { !names.contains(open[$0]!) }) {
                move(free, open.removeValue(forKey: free)!)
            } else {
                // The remaining elements wait for each other.
                let name = open.keys.sorted()[0]
                let temporary = temporaryName(for: name, names, longest: longest)
                move(name, temporary)
                open[temporary] = open.removeValue(forKey: name)
            }
        }
        return steps
    }

    static func temporaryName(
        for name: SQLIdentifier, _ taken: Set<SQLIdentifier>, longest: Int?
    ) -> SQLIdentifier {
        func fitted(_ name: SQLIdentifier) -> SQLIdentifier { longest.map(name.shortened) ?? name }
        var name = SQLIdentifier(DeferredPiece.prefix + name.name)
        while taken.contains(fitted(name)) { name = SQLIdentifier(name.name + "_") }
        return fitted(name)
    }
}
