import CoreData

/// The expected content of contexts over one store: the rules of merging and saving, over dictionaries.
///
/// Contexts read the content once and then see what they save and merge; a nested one reads from and saves to
/// its parent. There are items, which have values and belong to a group; groups do not change.
struct WorkReference {
    typealias Key = Int

    struct Item: Hashable {
        var name: Int
        var number: Int?
        var group: Int?

        /// This item where it differs from `base`, else `other`.
        func merged(with other: Item, base: Item) -> Item {
            Item(
                name: name != base.name ? name : other.name,
                number: number != base.number ? number : other.number,
                group: group != base.group ? group : other.group)
        }

        /// Whether one of the changes since `base` is the same on both sides.
        func agrees(with other: Item, since base: Item) -> Bool {
            name != base.name && name == other.name || number != base.number && number == other.number
                || group != base.group && group == other.group
        }
    }

    enum Policy: CaseIterable { case error, objectTrump, storeTrump, overwrite, rollback }

    struct Row: Hashable {
        var item: Item
        var version: Int
    }

    struct Save {
        var inserted: [Key] = []
        var updated: [Key: Item] = [:]
        var deleted: [Key] = []
    }

    /// The knowledge and the changes of one context.
    struct View {
        /// The context's parent; nil for one that works with the store.
        var parent: Int?
        var base: [Key: Row] = [:]
        var mine: [Key: Item] = [:]
        var deleted: Set<Key> = []
        /// Items whose rows were missing when they were read.
        var gone: Set<Key> = []
        /// The saves of others that this context has not merged.
        var unseen: [Save] = []

        var inserted: [Key] { mine.keys.filter { base[$0] == nil }.sorted() }
        var updated: [Key] { mine.keys.filter { base[$0] != nil && base[$0]?.item != mine[$0] }.sorted() }
        var changed: [Key] { updated.filter { !deleted.contains($0) } }
        /// The items that a user sees.
        var visible: [Key: Item] { mine.filter { !deleted.contains($0.key) } }

        /// Whether it has values of an item, or has deleted it.
        func knows(_ key: Key) -> Bool { mine[key] != nil || gone.contains(key) }

        mutating func rollBack() {
            mine = base.mapValues(\.item)
            (deleted, gone) = ([], [])
        }

        mutating func forget(_ key: Key) {
            base[key] = nil
            mine[key] = nil
            deleted.remove(key)
        }
    }

    private(set) var rows: [Key: Row] = [:]
    /// The last version of each row, deleted ones included: a row that is written again has a new version.
    private var lastVersions: [Key: Int] = [:]
    var views: [View]
    /// The last save of any context.
    private(set) var lastSave = Save()

    init(contexts: Int) { self.init(parents: Array(repeating: nil, count: contexts)) }

    /// - Parameters:
    ///   - parents: The parent of each context, if any.
    ///   - items: The initial items of the store.
    init(parents: [Int?], items: [Key: Item] = [:]) {
        views = parents.map { View(parent: $0) }
        rows = items.mapValues { Row(item: $0, version: 1) }
        lastVersions = items.mapValues { _ in 1 }
    }

    // MARK: Reading

    /// Returns the rows that a context reads from: the store's, or its parent's.
    func source(of index: Int) -> [Key: Row] {
        guard let parent = views[index].parent else { return rows }
        let view = views[parent]
        let unknown = source(of: parent).filter { !view.knows($0.key) }
        return unknown.merging(view.visible.mapValues { Row(item: $0, version: 0) }) { $1 }
    }

    /// Returns the items that a fetch in a context finds: the store's, with the changes of each context in
    /// between.
    func matches(of index: Int, where isWanted: (Item) -> Bool) -> Set<Key> {
        let view = views[index]
        let stored =
            view.parent.map { matches(of: $0, where: isWanted) }
            ?? Set(rows.keys.filter { isWanted(rows[$0]!.item) })
        let changed = Set(view.inserted + view.updated).subtracting(view.deleted)
        return stored.subtracting(view.gone).subtracting(view.deleted).subtracting(changed)
            .union(changed.filter { isWanted(view.mine[$0]!) })
    }

    /// Reads an item that the context has not read yet.
    mutating func read(_ key: Key, in index: Int) {
        guard !views[index].knows(key), let row = source(of: index)[key] else { return }
        views[index].base[key] = row
        views[index].mine[key] = row.item
    }

    // MARK: Merging

    ///
    /// Returns items of which it depends on the order of reads what they are: a change of this context that
    /// another one had made as well, before a third one changed it again.
    mutating func merge(into index: Int) -> Set<Key> {
        var undecided: Set<Key> = []
        for save in views[index].unseen {
            for (key, item) in save.updated {
                if let base = views[index].base[key]?.item, let mine = views[index].mine[key],
                    let row = rows[key]?.item, mine.agrees(with: item, since: base), item != row
                {
                    undecided.insert(key)
                }
                reread(key, in: index)
            }
            for key in save.inserted where views[index].base[key] == nil {
                guard let row = rows[key] else { continue }
                views[index].base[key] = row
                views[index].mine[key] = row.item
            }
            for key in save.deleted {
                // A merge policy may have written it again.
                if rows[key] == nil { views[index].forget(key) } else { reread(key, in: index) }
            }
        }
        views[index].unseen = []
        return undecided
    }

    mutating func accept(_ item: Item, of key: Key, in index: Int) { views[index].mine[key] = item }

    /// Replaces a row, and keeps the context's own changes.
    mutating func reread(_ key: Key, in index: Int) {
        guard let base = views[index].base[key], let row = source(of: index)[key] else { return }
        views[index].mine[key] = views[index].mine[key]?.merged(with: row.item, base: base.item)
        views[index].base[key] = row
    }

    // MARK: Saving

    /// Returns whether the save succeeds.
    mutating func save(_ index: Int, _ policy: Policy) -> Bool {
        if let parent = views[index].parent {
            handUp(index, to: parent)
            return true
        }
        let conflicts = conflicts(of: index)
        if policy == .error, !conflicts.isEmpty { return false }
        for key in conflicts { resolve(key, in: index, policy) }
        write(index)
        return true
    }

    /// Returns the items to be written whose rows differ from those that the context has read.
    func conflicts(of index: Int) -> [Key] {
        let view = views[index]
        return (view.changed + view.deleted.sorted()).filter { rows[$0]?.version != view.base[$0]?.version }
    }

    private mutating func resolve(_ key: Key, in index: Int, _ policy: Policy) {
        guard let row = rows[key] else {
            let revives = policy == .objectTrump || policy == .overwrite
            if !revives || views[index].deleted.contains(key) {
                views[index].forget(key)
            } else {
                views[index].base[key] = nil
            }
            return
        }
        guard let base = views[index].base[key], let mine = views[index].mine[key] else { return }
        views[index].base[key] = row
        switch policy {
        case .error: break
        case .rollback:
            views[index].mine[key] = row.item
            views[index].deleted.remove(key)
        case _ where views[index].deleted.contains(key): break
        case .overwrite: break
        case .objectTrump: views[index].mine[key] = mine.merged(with: row.item, base: base.item)
        case .storeTrump: views[index].mine[key] = row.item.merged(with: mine, base: base.item)
        }
    }

    private mutating func write(_ index: Int) {
        let save = changes(of: index)
        for key in save.inserted + save.updated.keys.sorted() {
            lastVersions[key, default: 0] += 1
            rows[key] = Row(item: views[index].mine[key]!, version: lastVersions[key]!)
            views[index].base[key] = rows[key]
        }
        for key in save.deleted {
            rows[key] = nil
            views[index].forget(key)
        }
        tell(of: save, by: index)
    }

    /// Returns the changes that a context's next save writes.
    func changes(of index: Int) -> Save {
        let view = views[index]
        let changed = view.changed.map { ($0, view.mine[$0]!) }
        return Save(
            inserted: view.inserted, updated: Dictionary(uniqueKeysWithValues: changed),
            deleted: view.deleted.sorted())
    }

    /// Passes a save to sibling contexts and to nested ones.
    private mutating func tell(of save: Save, by index: Int) {
        lastSave = save
        for other in views.indices where other != index {
            let parent = views[other].parent
            if parent == index || parent == views[index].parent { views[other].unseen.append(save) }
        }
    }

    // MARK: Nesting

    /// Applies changes to the parent, whose other properties stay. Objects that the parent has deleted stay
    /// deleted.
    private mutating func handUp(_ index: Int, to parent: Int) {
        let save = changes(of: index)
        for key in save.inserted { views[parent].mine[key] = views[index].mine[key] }
        for key in save.updated.keys.sorted() {
            read(key, in: parent)
            guard let base = views[index].base[key]?.item, let mine = views[index].mine[key] else { continue }
            views[parent].mine[key] = views[parent].mine[key].map { mine.merged(with: $0, base: base) }
        }
        for key in save.deleted {
            read(key, in: parent)
            if views[parent].base[key] == nil {
                views[parent].forget(key)
            } else {
                views[parent].deleted.insert(key)
            }
            views[index].forget(key)
        }
        for key in save.inserted + save.updated.keys.sorted() {
            views[index].base[key] = views[index].mine[key].map { Row(item: $0, version: 0) }
        }
        tell(of: save, by: index)
    }
}

extension WorkReference {
    /// Returns the model of the content.
    static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Group
              name int32
              items ->> Item.group
            Item
              key int32
              name int32
              number int32
              group -> Group.items
            """
        ).model
    }
}
