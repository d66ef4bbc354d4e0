/// Keys that no row has yet, in ascending order.
///
/// One run of keys needs no memory. Only keys from several blocks of a sequence are several runs.
package struct NewKeys: Sendable {
    /// The first run, from its next key up to its end, which is no key of it.
    private var first: Int64 = 0
    private var end: Int64 = 0
    private var later: ArraySlice<Range<Int64>> = []

    /// Makes no keys.
    package init() {}

    package init(_ run: Range<Int64>) {
        (first, end) = (run.lowerBound, run.upperBound)
    }

    package var count: Int { Int(end - first) + later.reduce(0) { $0 + $1.count } }

    /// Takes the next key, of which there must be one.
    package mutating func next() -> Int64 {
        if first == end { beginNextRun() }
        defer { first += 1 }
        return first
    }

    private mutating func beginNextRun() {
        let run = later.removeFirst()
        (first, end) = (run.lowerBound, run.upperBound)
    }

    /// Takes the next keys, fewer if there are not so many.
    mutating func take(_ count: Int) -> NewKeys {
        var taken = NewKeys()
        var missing = Int64(count)
        while missing > 0 {
            if first == end {
                if later.isEmpty { break }
                beginNextRun()
            }
            let middle = first + min(missing, end - first)
            taken.append(first..<middle)
            missing -= middle - first
            first = middle
        }
        return taken
    }

    /// Adds a run above all other keys.
    mutating func append(_ run: Range<Int64>) {
        if run.isEmpty { return }
        if first == end, later.isEmpty {
            (first, end) = (run.lowerBound, run.upperBound)
        } else {
            later.append(run)
        }
    }

    mutating func append(_ keys: NewKeys) { for run in keys.runs { append(run) } }

    /// Adds keys, which may be below others.
    mutating func insert(_ keys: NewKeys) {
        let all = (runs + keys.runs).sorted { $0.lowerBound < $1.lowerBound }
        self = NewKeys()
        for run in all { append(run) }
    }

    private var runs: [Range<Int64>] { [first..<end] + later }
}
