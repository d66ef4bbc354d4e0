#if Overlay
/// The differences between two texts in the format of `diff -u`.
package struct UnifiedDiff {
    fileprivate enum Line {
        case common(Substring)
        case removed(Substring)
        case inserted(Substring)
    }

    /// The number of unchanged lines shown around a change.
    private static let context = 3

    private let lines: [Line]

    package init(from before: String, to after: String) {
        let old = Self.lines(of: before)
        let new = Self.lines(of: after)
        let difference = new.difference(from: old)
        var removed = Set<Int>()
        var inserted = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if i < old.count, removed.contains(i) {
                lines.append(.removed(old[i]))
                i += 1
            } else if j < new.count, inserted.contains(j) {
                lines.append(.inserted(new[j]))
                j += 1
            } else {
                lines.append(.common(old[i]))
                (i, j) = (i + 1, j + 1)
            }
        }
        self.lines = lines
    }

    /// Returns the text of the differences, empty for equal texts.
    package func text(naming path: String) -> String {
        let hunks = hunks
        guard !hunks.isEmpty else { return "" }
        return "--- \(path)\n+++ \(path)\n" + hunks.map(text(of:)).joined()
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The changes with the unchanged lines around them. Changes whose unchanged lines overlap form one hunk.
    private var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where !lines[index].isCommon {
            let lower = max(index - Self.context, 0)
            let upper = min(index + Self.context + 1, lines.count)
            if let last = hunks.last, last.upperBound >= lower {
                hunks[hunks.count - 1] = last.lowerBound..<upper
            } else {
                hunks.append(lower..<upper)
            }
        }
        return hunks
    }

    private func text(of hunk: Range<Int>) -> String {
        let before = lines[..<hunk.lowerBound]
        let body = lines[hunk]
        func span(_ isCounted: (Line) -> Bool) -> String {
            "\(before.count(where: isCounted) + 1),\(body.count(where: isCounted))"
        }
        return "@@ -\(span(\.isOld)) +\(span(\.isNew)) @@\n" + body.map { $0.text + "\n" }.joined()
    }
}

extension UnifiedDiff.Line {
    fileprivate var isCommon: Bool { if case .common = self { true } else { false } }
    fileprivate var isOld: Bool { if case .inserted = self { false } else { true } }
    fileprivate var isNew: Bool { if case .removed = self { false } else { true } }

    fileprivate var text: String {
        switch self {
        case .common(let line): " \(line)"
        case .removed(let line): "-\(line)"
        case .inserted(let line): "+\(line)"
        }
    }
}
#endif
