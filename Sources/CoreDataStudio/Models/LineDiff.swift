import CoreDataJSON

/// The differences between two texts by lines, with some equal lines around them.
package struct LineDiff {
    package enum Kind: String {
        case same
        case added
        case removed
    }

    package struct Line: Equatable {
        package let kind: Kind
        /// The number of the line in the older and the newer text, from 1.
        package let old: Int?
        package let new: Int?
        package let text: String
    }

    /// The differing parts, each with its surroundings.
    package let hunks: [[Line]]

    /// - Parameter context: The number of equal lines shown before and after a difference.
    package init(from old: String, to new: String, context: Int = 3) {
        let lines = Self.lines(Self.split(old), Self.split(new))
        var hunks: [[Line]] = []
        var end = 0
        for (index, line) in lines.enumerated() where line.kind != .same {
            let start = max(index - context, end)
            let stop = min(index + context + 1, lines.count)
            if index - context <= end, !hunks.isEmpty {
                hunks[hunks.count - 1] += lines[min(end, stop)..<stop]
            } else {
                hunks.append(Array(lines[start..<stop]))
            }
            end = max(end, stop)
        }
        self.hunks = hunks
    }

    private static func split(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func lines(_ before: [String], _ after: [String]) -> [Line] {
        // Most of two versions of a file is equal at both ends, which need not be compared further.
        let head = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let (old, new) = (before[head..<(before.count - tail)], after[head..<(after.count - tail)])
        let difference = Array(new).difference(from: Array(old))
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(head + offset)
            case .insert(let offset, _, _): added.insert(head + offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                lines.append(Line(kind: .removed, old: left + 1, new: nil, text: before[left]))
                left += 1
            } else if added.contains(right) {
                lines.append(Line(kind: .added, old: nil, new: right + 1, text: after[right]))
                right += 1
            } else {
                lines.append(Line(kind: .same, old: left + 1, new: right + 1, text: before[left]))
                left += 1
                right += 1
            }
        }
        return lines
    }

    var json: JSONValue {
        .array(hunks.map { .array($0.map(\.json)) })
    }
}

extension LineDiff.Line {
    fileprivate var json: JSONValue {
        func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
        return .object([
            .init("kind", .string(kind.rawValue)), .init("old", number(old)), .init("new", number(new)),
            .init("text", .string(text)),
        ])
    }
}
