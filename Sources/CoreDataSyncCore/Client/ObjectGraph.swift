/// Objects as points that look somehow, with lines between them, so that two graphs can be compared whose points
/// have different names.
struct ObjectGraph<Point: Hashable> {
    struct Line {
        var name: String
        var from: Point
        var to: Point
    }

    /// What each point looks like alone, as a hash.
    var looks: [Point: UInt64] = [:]
    var lines: [Line] = []

    /// Returns what each point looks like alone, then together with its neighbours, then with theirs and so on.
    /// Points of two graphs that look alike so far around them have equal hashes.
    func circles(_ count: Int) -> [[Point: UInt64]] {
        var result = [looks]
        while result.count < count {
            let last = result[result.count - 1]
            var next = last.mapValues { Self.mixed("", 0, $0) }
            // Sums do not depend on the order of lines.
            for line in lines {
                guard let from = last[line.from], let to = last[line.to] else { continue }
                next[line.from]! &+= Self.mixed(line.name, 1, to)
                next[line.to]! &+= Self.mixed(line.name, 2, from)
            }
            result.append(next)
        }
        return result
    }

    private static func mixed(_ name: String, _ end: UInt8, _ look: UInt64) -> UInt64 {
        var hash = CanonicalHash()
        hash.append(end, name)
        hash.append(look)
        return hash.value
    }
}
