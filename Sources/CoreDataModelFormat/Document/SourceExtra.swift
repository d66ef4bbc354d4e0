import Foundation

/// A part of a model's source that means nothing to the framework: a comment, a processing instruction, an
/// unknown element or attribute, a blank line.
///
/// The element that contains it carries it. A part of an element that no value stands for, such as
/// `<userInfo>` or one of its entries, is carried by the closest element around it that one does stand for.
package struct SourceExtra: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// Text as it is in the source, with the white space before it, and with line feeds as line breaks.
        case text(String)
        case attribute(String, value: String)
    }

    /// How the comment begins by which a merge marks a conflict.
    package static let conflictMark = "<!-- conflict: "

    /// The keys of the elements that contain it, from below the element that carries it inward.
    package var parents: [String]
    /// The key of the next element that is not an extra itself; nil if there is none before the end tag.
    package var successor: String?
    /// The key of the previous such element; nil if there is none. It tells the place once the next one is
    /// gone or renamed, and is no part of what the extra is.
    package var predecessor: String?
    package var content: Content

    package init(
        parents: [String] = [], after predecessor: String? = nil, before successor: String? = nil,
        _ content: Content
    ) {
        self.parents = parents
        self.predecessor = predecessor
        self.successor = successor
        self.content = content
    }

    package static func == (one: SourceExtra, other: SourceExtra) -> Bool {
        one.parents == other.parents && one.successor == other.successor && one.content == other.content
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(parents)
        hasher.combine(successor)
        hasher.combine(content)
    }
}

extension SourceExtra {
    /// Returns the extra as seen from the element around the one with a key.
    package func inside(_ key: String) -> SourceExtra {
        var extra = self
        extra.parents.insert(key, at: 0)
        return extra
    }

    /// What the comment of a conflict says; nil for any other extra.
    package var conflict: String? {
        guard case .text(let text) = content, let mark = text.range(of: Self.conflictMark) else { return nil }
        return String(text[mark.upperBound...].prefix { $0 != "\n" }.dropLast(" -->".count))
    }
}

/// The extras in an element, for going through its children in their order.
package struct PlacedExtras: Sendable {
    /// The extras that have not been taken yet.
    private var extras: [SourceExtra?]
    private var before: [String: [Int]] = [:]
    private var inside: [String: [Int]] = [:]

    /// Places extras among children.
    ///
    /// - Parameter keys: The keys of the children, in their order.
    package init(_ extras: [SourceExtra], among keys: [String]) {
        self.extras = extras
        let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
        for (index, extra) in extras.enumerated() {
            if let parent = extra.parents.first {
                inside[parent, default: []].append(index)
            } else if let successor = extra.successor {
                let former = extra.predecessor.map { places[$0] } ?? -1
                let next = places[successor] ?? former.map { $0 + 1 } ?? keys.count
                if next < keys.count { before[keys[next], default: []].append(index) }
            }
        }
    }

    /// Removes and returns the extras before a child.
    package mutating func take(before key: String) -> [SourceExtra] { take(before.removeValue(forKey: key)) }

    /// Removes the extras in a child, and returns them as the child sees them.
    package mutating func take(inside key: String) -> [SourceExtra] {
        take(inside.removeValue(forKey: key)).map { extra in
            var extra = extra
            extra.parents.removeFirst()
            return extra
        }
    }

    /// The extras that are left: those after the last child, and those whose place is gone.
    package var rest: [SourceExtra] { extras.compactMap { $0 } }

    private mutating func take(_ indexes: [Int]?) -> [SourceExtra] {
        (indexes ?? []).compactMap { index in
            defer { extras[index] = nil }
            return extras[index]
        }
    }
}

/// The names by which extras refer to the children of an element: `attribute title`, and `attribute title#2`
/// for a second one.
package struct SourceKeys: Sendable {
    private var counts: [String: Int] = [:]

    package init() {}

    /// Returns the key of the next child.
    package mutating func next(_ element: String, _ attributes: [String: String]) -> String {
        let naming = ["name", "key", "value", "property"].lazy.compactMap { attributes[$0] }.first
        let key = Self.key(element, naming)
        let count = counts[key, default: 0] + 1
        counts[key] = count
        return count == 1 ? key : "\(key)#\(count)"
    }

    /// Returns the key of an element with a name that no sibling of the same kind has.
    package static func key(_ element: String, _ name: String?) -> String {
        name.map { "\(element) \($0)" } ?? element
    }
}

/// How a source is written beyond its elements, so that an unchanged model gets the bytes that it had.
package struct SourceForm: Sendable, Hashable {
    /// All before `<model>`; nil for the editor's declaration.
    package var head: String?
    /// All after `</model>`. The editor writes nothing there, but other tools write a line break.
    package var tail = ""
    package var indentation = "    "
    package var endsLinesWithCarriageReturns = false

    package init() {}
}
