import CoreDataModelFormat
import Foundation

/// The merge of two trees of nodes that were made of one. What both sides changed in different ways is as in
/// ours, and a conflict.
struct NodeMerge {
    private(set) var conflicts: [MergeConflict] = []

    mutating func merged(_ base: MergeNode, _ ours: MergeNode, _ theirs: MergeNode) -> MergeNode {
        merged(base, ours, theirs, Place(""))
    }

    /// The place of a node in the model, for messages.
    private struct Place {
        /// The path of the closest element that has one.
        var path: String
        /// The name of the node within that.
        var label: String?

        init(_ path: String, _ label: String? = nil) {
            (self.path, self.label) = (path, label)
        }

        func setting(_ name: String?) -> String? {
            label == nil && name == nil ? nil : [label, name].compactMap { $0 }.joined(separator: " ")
        }

        func child(_ node: MergeNode) -> Place {
            let name = node.attributes["name"] ?? ""
            switch node.element {
            case "entity": return Place(name)
            case "attribute", "relationship", "fetchedProperty": return Place("\(path).\(name)")
            case "fetchIndex": return Place(ElementPath.fetchIndex(name, of: path))
            case "configuration": return Place(ElementPath.configuration(name))
            case "composite": return Place(ElementPath.composite(name))
            case "fetchRequest" where path.isEmpty: return Place(ElementPath.fetchRequest(name))
            default: return Place(path, node.label ?? label)
            }
        }
    }

    private mutating func merged(
        _ base: MergeNode?, _ ours: MergeNode, _ theirs: MergeNode, _ place: Place
    ) -> MergeNode {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        var result = ours
        if ours.element == "element" {
            // Positions are no reason for a conflict.
            return result
        }
        result.attributes = attributes(base?.attributes ?? [:], ours.attributes, theirs.attributes, place)
        result.extras = extras(base?.extras ?? [], ours.extras, theirs.extras, place)
        if ours.element == "fetchIndex" {
            result.children =
                value(
                    base?.children ?? [], ours.children, theirs.children, place, "elements", Self.text) ?? []
        } else {
            result.children = children(base?.children ?? [], ours.children, theirs.children, place)
        }
        return result
    }

    /// Returns the value that one side has changed.
    private mutating func value<Value: Equatable>(
        _ base: Value?, _ ours: Value?, _ theirs: Value?, _ place: Place, _ setting: String?,
        _ text: (Value) -> String
    ) -> Value? {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        conflicts.append(
            MergeConflict(
                path: place.path, setting: place.setting(setting), base: base.map(text), ours: ours.map(text),
                theirs: theirs.map(text)))
        return ours
    }

    // MARK: Settings

    /// The attributes that make up one setting together.
    private static let groups: [[String]] = [
        ["attributeType", "composite"], ["defaultValueString", "defaultDateTimeInterval"],
        ["minValueString", "minDateTimeInterval"], ["maxValueString", "maxDateTimeInterval"],
        ["toMany", "maxCount"], ["inverseName", "inverseEntity"], ["derived", "derivationExpression"],
    ]

    private static let group = Dictionary(
        uniqueKeysWithValues: groups.flatMap { group in group.map { ($0, group) } })

    /// The attributes that each save by an editor sets to its own version. The newer editor's stay.
    private static let editorVersions = ["lastSavedToolsVersion", "systemVersion"]

    private mutating func attributes(
        _ base: [String: String], _ ours: [String: String], _ theirs: [String: String], _ place: Place
    ) -> [String: String] {
        var result: [String: String] = [:]
        var done: Set<String> = []
        for key in Set(base.keys).union(ours.keys).union(theirs.keys).sorted() where !done.contains(key) {
            let group = Self.group[key] ?? [key]
            done.formUnion(group)
            let part = { (all: [String: String]) in
                let part = all.filter { group.contains($0.key) }
                return part.isEmpty ? nil : part
            }
            let (former, own, other) = (part(base), part(ours), part(theirs))
            if Self.editorVersions.contains(key) {
                let side =
                    own == former || other != former && Self.isNewer(theirs, than: ours) ? theirs : ours
                result[key] = side[key]
                continue
            }
            let merged = value(former, own, other, place, group[0]) { Self.text($0, of: group) }
            result.merge(merged ?? [:]) { old, _ in old }
        }
        return result
    }

    private static func isNewer(_ one: [String: String], than other: [String: String]) -> Bool {
        let versions = [one, other].map { $0[editorVersions[0]].flatMap(Double.init) ?? 0 }
        return versions[0] > versions[1]
    }

    private static func text(_ attributes: [String: String], of group: [String]) -> String {
        group.compactMap { attributes[$0] }.map { "\"\($0)\"" }.joined(separator: " ")
    }

    private static func text(_ attributes: [String: String]) -> String {
        attributes.sorted { $0.key < $1.key }.map { "\($0.key) \"\($0.value)\"" }.joined(separator: ", ")
    }

    private static func text(_ nodes: [MergeNode]) -> String {
        nodes.isEmpty ? "none" : nodes.map { text($0) }.joined(separator: "; ")
    }

    /// Returns a node in one line, with all that is in it.
    private static func text(_ node: MergeNode) -> String {
        let extras = node.extras.map(text)
        let parts = [text(node.attributes)].filter { !$0.isEmpty } + extras + node.children.map { text($0) }
        return node.element + (parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))")
    }

    private static func text(_ extra: SourceExtra) -> String {
        switch extra.content {
        case .text(let text): text.trimmingCharacters(in: .whitespacesAndNewlines)
        case .attribute(let name, let value): "\(name) \"\(value)\""
        }
    }

    // MARK: Extras

    /// An extra among equal ones.
    private struct Numbered: Hashable {
        let extra: SourceExtra
        let number: Int
    }

    private mutating func extras(
        _ base: [SourceExtra], _ ours: [SourceExtra], _ theirs: [SourceExtra], _ place: Place
    ) -> [SourceExtra] {
        let (former, own, other) = (Self.attributes(base), Self.attributes(ours), Self.attributes(theirs))
        var result: [SourceExtra] = []
        let keys = Set(former.keys).union(own.keys).union(other.keys)
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let setting = key.last
            guard let merged = value(former[key], own[key], other[key], place, setting, { $0 }),
                let name = key.last
            else { continue }
            result.append(SourceExtra(parents: key.dropLast(), .attribute(name, value: merged)))
        }
        let texts = ListMerge(
            base: Self.numbered(base), ours: Self.numbered(ours), theirs: Self.numbered(theirs))
        return result + texts.merged().map(\.extra)
    }

    /// Returns the unknown attributes, by the parents and the name.
    private static func attributes(_ extras: [SourceExtra]) -> [[String]: String] {
        var result: [[String]: String] = [:]
        for extra in extras {
            if case .attribute(let name, let value) = extra.content { result[extra.parents + [name]] = value }
        }
        return result
    }

    private static func numbered(_ extras: [SourceExtra]) -> [Numbered] {
        var counts: [SourceExtra: Int] = [:]
        return extras.compactMap { extra in
            guard case .text = extra.content else { return nil }
            counts[extra, default: 0] += 1
            return Numbered(extra: extra, number: counts[extra] ?? 0)
        }
    }

    // MARK: Children

    /// The elements that only hold others, and may be missing if there are none.
    private static let wrappers: Set<String> = [
        "userInfo", "compoundIndexes", "uniquenessConstraints", "elements",
    ]

    private mutating func children(
        _ base: [MergeNode], _ ours: [MergeNode], _ theirs: [MergeNode], _ place: Place
    ) -> [MergeNode] {
        let (former, own, other) = (Self.byID(base), Self.byID(ours), Self.byID(theirs))
        var result: [MergeNode] = []
        var kept: Set<String> = []
        for node in ours where other[node.id] == nil && !Self.wrappers.contains(node.element) {
            guard let before = former[node.id], before != node else { continue }
            kept.insert(node.id)
            removal(of: node, before: before, isOurs: false, place.child(node))
        }
        for node in theirs where own[node.id] == nil && !Self.wrappers.contains(node.element) {
            guard let before = former[node.id], before != node else { continue }
            removal(of: node, before: before, isOurs: true, place.child(before))
        }
        let ids = { (nodes: [MergeNode]) in
            nodes.filter { !Self.wrappers.contains($0.element) }.map(\.id)
        }
        let order = ListMerge(base: ids(base), ours: ids(ours), theirs: ids(theirs)).merged(keeping: kept)
        for id in order {
            switch (own[id], other[id]) {
            case (let own?, let other?): result.append(merged(former[id], own, other, place.child(own)))
            case (let node?, nil), (nil, let node?): result.append(node)
            case (nil, nil): break
            }
        }
        for name in Self.wrappers.sorted() {
            let nodes = [former[name], own[name], other[name]]
            guard let some = nodes.compactMap({ $0 }).first else { continue }
            let empty = MergeNode(element: name, id: name, attributes: [:], extras: [], children: [])
            let node = merged(
                nodes[0] ?? empty, nodes[1] ?? empty, nodes[2] ?? empty, place.child(some))
            // An empty one is kept if the side that changed that has it.
            let isPresent =
                (own[name] == nil) == (former[name] == nil) ? other[name] != nil : own[name] != nil
            if !node.children.isEmpty || isPresent { result.append(node) }
        }
        return result
    }

    private static func byID(_ nodes: [MergeNode]) -> [String: MergeNode] {
        Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Notes that one side has removed a node that the other one has changed.
    private mutating func removal(of node: MergeNode, before: MergeNode, isOurs: Bool, _ place: Place) {
        // Positions are no reason for a conflict.
        guard node.element != "element" else { return }
        let changes = Self.changes(from: before, to: node)
        let changed = "changed (\(changes.isEmpty ? "order" : changes.joined(separator: "; ")))"
        conflicts.append(
            MergeConflict(
                path: place.path, setting: place.setting(nil), base: "present",
                ours: isOurs ? "removed" : changed, theirs: isOurs ? changed : "removed"))
    }

    /// Returns what differs between two states of a node, in words.
    private static func changes(from old: MergeNode, to new: MergeNode) -> [String] {
        var changes: [String] = []
        for key in Set(old.attributes.keys).union(new.attributes.keys).sorted()
        where old.attributes[key] != new.attributes[key] {
            changes.append("\(key) \(old.attributes[key] ?? "none") -> \(new.attributes[key] ?? "none")")
        }
        changes += new.extras.filter { !old.extras.contains($0) }.map { "added \(text($0))" }
        changes += old.extras.filter { !new.extras.contains($0) }.map { "removed \(text($0))" }
        let (former, latter) = (byID(old.children), byID(new.children))
        for child in new.children {
            guard let before = former[child.id] else {
                changes.append("added \(text(child))")
                continue
            }
            changes += Self.changes(from: before, to: child).map { "\(child.id): \($0)" }
        }
        changes += old.children.filter { latter[$0.id] == nil }.map { "removed \($0.id)" }
        return changes
    }
}
