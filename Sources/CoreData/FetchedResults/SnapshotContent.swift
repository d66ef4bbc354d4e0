import Foundation

/// The identifiers of items in sections, each once: what `NSDiffableDataSourceSnapshotReference` holds.
struct SnapshotContent {
    struct Section {
        let id: AnyHashable
        var items: [AnyHashable] = []
    }

    var sections: [Section] = []
    var reloadedSections: [AnyHashable] = []
    var reloadedItems: [AnyHashable] = []
    var reconfiguredItems: [AnyHashable] = []

    var items: [AnyHashable] { sections.flatMap(\.items) }

    // MARK: Finding

    func index(ofSection id: AnyHashable) -> Int? { sections.firstIndex { $0.id == id } }

    func position(ofItem id: AnyHashable) -> ResultPosition? {
        for (section, content) in sections.enumerated() {
            if let row = content.items.firstIndex(of: id) {
                return ResultPosition(section: section, row: row)
            }
        }
        return nil
    }

    func index(ofItem id: AnyHashable) -> Int? {
        guard let position = position(ofItem: id) else { return nil }
        return sections[..<position.section].reduce(position.row) { $0 + $1.items.count }
    }

    func requiredSection(_ id: AnyHashable) -> Int {
        guard let index = index(ofSection: id) else {
            programmerError("NSDiffableDataSourceSnapshotReference has no section \(id): append it first.")
        }
        return index
    }

    func requiredItem(_ id: AnyHashable) -> ResultPosition {
        guard let position = position(ofItem: id) else {
            programmerError("NSDiffableDataSourceSnapshotReference has no item \(id): append it first.")
        }
        return position
    }

    // MARK: Changing

    mutating func insert(sections ids: [AnyHashable], at index: Int) {
        for id in ids where self.index(ofSection: id) != nil {
            programmerError("NSDiffableDataSourceSnapshotReference has a section \(id) already.")
        }
        sections.insert(contentsOf: ids.map { Section(id: $0) }, at: index)
    }

    mutating func insert(items ids: [AnyHashable], at position: ResultPosition) {
        let known = Set(items)
        for id in ids where known.contains(id) {
            programmerError("NSDiffableDataSourceSnapshotReference has an item \(id) already: move it.")
        }
        sections[position.section].items.insert(contentsOf: ids, at: position.row)
    }

    mutating func delete(items ids: [AnyHashable]) {
        let gone = Set(ids)
        for index in sections.indices { sections[index].items.removeAll(where: gone.contains) }
        reloadedItems.removeAll(where: gone.contains)
        reconfiguredItems.removeAll(where: gone.contains)
    }

    mutating func delete(sections ids: [AnyHashable]) {
        let gone = Set(ids)
        delete(items: sections.filter { gone.contains($0.id) }.flatMap(\.items))
        sections.removeAll { gone.contains($0.id) }
        reloadedSections.removeAll(where: gone.contains)
    }

    /// Moves an item into the section of another one.
    ///
    /// - Parameter offset: 0 for before the other item, 1 for behind it.
    mutating func move(item id: AnyHashable, to other: AnyHashable, offset: Int) {
        let from = requiredItem(id)
        _ = requiredItem(other)
        guard id != other else { return }
        sections[from.section].items.remove(at: from.row)
        var to = requiredItem(other)
        to.row += offset
        sections[to.section].items.insert(id, at: to.row)
    }

    mutating func move(section id: AnyHashable, to other: AnyHashable, offset: Int) {
        let from = requiredSection(id)
        _ = requiredSection(other)
        guard id != other else { return }
        let section = sections.remove(at: from)
        sections.insert(section, at: requiredSection(other) + offset)
    }
}
