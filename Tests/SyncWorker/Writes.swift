/// The writes of all clients that have happened, and what a store shows that has made some of them.
///
/// A client numbers its writes without a gap, and each adds an entry. So the entries that a store shows say which
/// writes it has made, and everything else in it but the winner among concurrent values follows.
struct Writes {
    private(set) var byClient: [String: [Write]] = [:]
    /// The sums of the amounts of a client's first writes, by tally.
    private var sums: [String: [[String: Int]]] = [:]
    private var adding: [Write] = []
    private var deleting: [String: [Write]] = [:]
    /// The writes that have seen a value and replaced it.
    private(set) var replacing: [String: [Write]] = [:]
    private var byName: [String: Write] = [:]

    /// - Parameter events: The events of each client. Of saves whose end nobody has told, those have happened that
    ///   a later event of any client shows.
    init(_ events: [String: [Event]]) {
        let seen = Self.lastSeen(events)
        for (client, events) in events.sorted(by: { $0.key < $1.key }) {
            var writes: [Int: Write] = [:]
            // A save that failed, or whose process was killed before it, is begun again under its number.
            for case .begin(let write) in events { writes[write.number] = write }
            let last = seen[client] ?? 0
            add((1..<last + 1).compactMap { writes[$0] }, of: client)
        }
    }

    private static func lastSeen(_ events: [String: [Event]]) -> [String: Int] {
        var last: [String: Int] = [:]
        for (client, events) in events {
            for event in events {
                switch event {
                case .read(let view), .quiet(_, let view):
                    last.merge(view.entries.mapValues(\.last), uniquingKeysWith: max)
                case .done(let number): last[client] = max(last[client] ?? 0, number)
                case .start, .begin, .failed: break
                }
            }
        }
        return last
    }

    private mutating func add(_ writes: [Write], of client: String) {
        byClient[client] = writes
        var sums: [[String: Int]] = [[:]]
        for write in writes {
            byName[write.name] = write
            if let value = write.over { replacing[value, default: []].append(write) }
            if write.addsLeaf { adding.append(write) }
            if let name = write.deletes { deleting[name, default: []].append(write) }
            sums.append(sums[sums.count - 1].merging([write.tally: write.amount], uniquingKeysWith: +))
        }
        self.sums[client] = sums
    }

    var all: [Write] { byClient.sorted { $0.key < $1.key }.flatMap(\.value) }

    /// Returns what is wrong in a view, given the entries that it has.
    func problems(of view: View) -> [String] {
        var problems: [String] = []
        for (client, entries) in view.entries.sorted(by: { $0.key < $1.key }) {
            if entries.count != entries.last {
                problems.append("\(client) has \(entries.count) of the first \(entries.last) entries")
            }
            if entries.last > byClient[client]?.count ?? 0 {
                problems.append("\(client) has not made entry \(entries.last)")
            }
        }
        guard problems.isEmpty else { return problems }
        return cells(view) + tallies(view) + leaves(view)
    }

    private func isMade(_ write: Write, in view: View) -> Bool {
        write.number <= view.entries[write.client]?.last ?? 0
    }

    private func cells(_ view: View) -> [String] {
        var problems: [String] = []
        for (name, cell) in view.cells.sorted(by: { $0.key < $1.key }) {
            guard cell.left == cell.right else {
                let sides = [cell.left, cell.right].map { $0 ?? "-" }.joined(separator: " and ")
                problems.append("\(name) has sides of two writes, \(sides)")
                continue
            }
            guard let value = cell.left, let write = byName[value], write.cell == name else {
                problems.append("\(name) has the value \(cell.left ?? "-"), which nobody wrote")
                continue
            }
            if !isMade(write, in: view) { problems.append("\(name) has \(value) before its entry is there") }
            for newer in replacing[value] ?? [] where newer.cell == name && isMade(newer, in: view) {
                problems.append("\(name) has \(value), which \(newer.name) had replaced")
            }
        }
        let written = Set(byClient.values.joined().filter { isMade($0, in: view) }.map(\.cell))
        return problems
            + written.subtracting(view.cells.keys).sorted().map { "\($0) was written and is not there" }
    }

    private func tallies(_ view: View) -> [String] {
        var expected: [String: Int] = [:]
        for (client, entries) in view.entries {
            expected.merge(sums[client]?[entries.last] ?? [:], uniquingKeysWith: +)
        }
        return Set(expected.keys).union(view.tallies.keys).sorted().compactMap { name in
            let (found, sum) = (view.tallies[name] ?? 0, expected[name] ?? 0)
            return found == sum ? nil : "\(name) has \(found), and its entries make \(sum)"
        }
    }

    private func leaves(_ view: View) -> [String] {
        let expected = adding.filter { leaf in
            isMade(leaf, in: view) && !(deleting[leaf.name] ?? []).contains { isMade($0, in: view) }
        }.map(\.name)
        let found = Set(view.leaves)
        var problems = Set(expected).subtracting(found).sorted().map { "the leaf \($0) is missing" }
        problems += found.subtracting(expected).sorted().map { "the leaf \($0) is there" }
        if found.count != view.leaves.count { problems.append("a leaf is there twice") }
        return problems
    }
}
