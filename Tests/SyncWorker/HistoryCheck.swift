/// What is wrong in a history of clients that sync: with their stores at each moment (causal consistency, whole
/// saves), from one moment to the next (reads and writes of one client in their order), and in the end (the same
/// everywhere, nothing lost without being told).
struct HistoryCheck {
    private(set) var problems: [String] = []
    private let history: History
    private let writes: Writes
    /// What each write had seen: the entries of its client's store before it.
    private var seen: [String: [String: Int]] = [:]
    /// Which value came after which in a cell of any store.
    private var order: [String: Set<String>] = [:]

    init(_ history: History) {
        self.history = history
        writes = Writes(history.events)
        let clients = history.events.sorted { $0.key < $1.key }
        for (_, events) in clients { noteSeen(events) }
        for (client, events) in clients { follow(events, of: client) }
        if writes.all.isEmpty { problems.append("nobody has written anything") }
        checkOrder()
        checkRounds()
        checkLosses()
    }

    var summary: String {
        let events = history.events.values.joined()
        func count(_ isCounted: (Event) -> Bool) -> Int { events.count(where: isCounted) }
        let rounds = Set(events.compactMap { if case .quiet(let round, _) = $0 { round } else { nil } })
        return """
            \(history.events.count) clients in \(count { $0 == .start }) processes, \(writes.all.count) writes, \
            \(count { if case .read = $0 { true } else { false } }) reads, \
            \(count { if case .failed = $0 { true } else { false } }) conflicts in a store, \
            \(history.losses.count) values that lost, \(rounds.count) rounds
            """
    }

    private mutating func noteSeen(_ events: [Event]) {
        var last: [String: Int] = [:]
        for event in events {
            switch event {
            case .read(let view): last = view.entries.mapValues(\.last)
            case .begin(let write): seen[write.name] = last
            case .start, .done, .failed, .quiet: break
            }
        }
    }

    // MARK: One client

    /// Goes through what a client has seen and done.
    private mutating func follow(_ events: [Event], of client: String) {
        var known: [String: Int] = [:]
        var values: [String: String] = [:]
        for (number, event) in events.enumerated() {
            switch event {
            case .read(let view), .quiet(_, let view):
                let place = "\(client), event \(number + 1): "
                problems += writes.problems(of: view).map { place + $0 }
                problems += causes(of: view).map { place + $0 }
                for (other, last) in known.sorted(by: { $0.key < $1.key })
                where view.entries[other]?.last ?? 0 < last {
                    problems.append(place + "entry \(last) of \(other) was there before")
                }
                known = view.entries.mapValues(\.last)
                for (name, cell) in view.cells {
                    guard let value = cell.left else { continue }
                    if let old = values[name], old != value { order[old, default: []].insert(value) }
                    values[name] = value
                }
            case .done(let number): known[client] = max(known[client] ?? 0, number)
            case .start, .begin, .failed: break
            }
        }
    }

    /// Returns which writes a store lacks that others in it had seen.
    private func causes(of view: View) -> [String] {
        var problems: [String] = []
        for (client, entries) in view.entries.sorted(by: { $0.key < $1.key }) {
            // Later writes of a client have seen what earlier ones had.
            let name = "\(client):\(entries.last)"
            for (other, last) in (seen[name] ?? [:]).sorted(by: { $0.key < $1.key })
            where view.entries[other]?.last ?? 0 < last {
                problems.append("\(name) is there without \(other):\(last), which it had seen")
            }
        }
        return problems
    }

    // MARK: All clients

    /// Checks that of two values the same one wins in every store.
    private mutating func checkOrder() {
        var done: Set<String> = []
        for start in order.keys.sorted() {
            var path: [(value: String, rest: [String])] = [(start, (order[start] ?? []).sorted())]
            var onPath: Set<String> = [start]
            while let (value, rest) = path.last {
                guard let next = rest.last, !done.contains(value) else {
                    done.insert(value)
                    onPath.remove(value)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].rest.removeLast()
                if onPath.contains(next) {
                    problems.append("\(next) comes before and after \(value)")
                } else if !done.contains(next) {
                    onPath.insert(next)
                    path.append((next, (order[next] ?? []).sorted()))
                }
            }
        }
    }

    /// Checks that all stores show the same at the end of each round.
    private mutating func checkRounds() {
        var views: [Int: [String: View]] = [:]
        for (client, events) in history.events {
            for case .quiet(let round, let view) in events {
                views[round, default: [:]][client] = view
                for name in view.doubles {
                    problems.append("\(client) ends round \(round) with two of \(name)")
                }
            }
        }
        if views.isEmpty { problems.append("there was no round") }
        for (round, views) in views.sorted(by: { $0.key < $1.key }) where Set(views.values).count > 1 {
            problems.append("round \(round) ends with different stores")
        }
    }

    /// Checks that each value of a cell is there, was replaced by a client that had seen it, or is among those that
    /// lost.
    private mutating func checkLosses() {
        let last = history.events.values.compactMap { events -> (round: Int, view: View)? in
            for case .quiet(let round, let view) in events.reversed() { return (round, view) }
            return nil
        }.max { $0.round < $1.round }
        for write in writes.all where writes.replacing[write.name] == nil {
            let isThere = last?.view.cells[write.cell]?.left == write.name
            if !isThere, !history.losses.contains(write.name) {
                problems.append("\(write.name) was lost from \(write.cell), and nobody told")
            }
        }
    }
}
