/// What contexts over one store ought to have: the rules of merging and saving, over dictionaries.
///
/// Contexts read everything once and then see what they save and merge. There are items, which have values and
/// belong to a group; groups do not change.
struct WorkReference {
    typealias Key = Int

    struct Item: Equatable {
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

    struct Row: Equatable {
        var item: Item
        var version: Int
    }

    struct Save {
        var inserted: [Key] = []
        var updated: [Key: Item] = [:]
        var deleted: [Key] = []
    }

    /// What one context knows and has changed.
    struct View {
        var base: [Key: Row] = [:]
        var mine: [Key: Item] = [:]
        var deleted: Set<Key> = []
        /// What others saved and this context has not merged.
        var unseen: [Save] = []

        var inserted: [Key] { mine.keys.filter { base[$0] == nil }.sorted() }
        var updated: [Key] { mine.keys.filter { base[$0] != nil && base[$0]?.item != mine[$0] }.sorted() }
        var changed: [Key] { updated.filter { !deleted.contains($0) } }
        /// What a user sees.
        var visible: [Key: Item] { mine.filter { !deleted.contains($0.key) } }

        mutating func rollBack() {
            mine = base.mapValues(\.item)
            deleted = []
        }

        mutating func forget(_ key: Key) {
            base[key] = nil
            mine[key] = nil
            deleted.remove(key)
        }
    }

    private(set) var rows: [Key: Row] = [:]
    /// Of rows that are gone, too: a row that is written again has another version than any before.
    private var lastVersions: [Key: Int] = [:]
    var views: [View]

    init(contexts: Int) {
        views = Array(repeating: View(), count: contexts)
    }

    // MARK: Merging

    ///
    /// Returns items of which it depends on the order of reads what they are: a change of this context that another one
    /// had made as well, before a third one changed it again.
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

    /// Takes over a row, and keeps what was changed here.
    mutating func reread(_ key: Key, in index: Int) {
        guard let base = views[index].base[key], let row = rows[key] else { return }
        views[index].mine[key] = views[index].mine[key]?.merged(with: row.item, base: base.item)
        views[index].base[key] = row
    }

    // MARK: Saving

    /// Whether the save succeeds.
    mutating func save(_ index: Int, _ policy: Policy) -> Bool {
        let view = views[index]
        let conflicts = (view.changed + view.deleted.sorted()).filter {
            rows[$0]?.version != view.base[$0]?.version
        }
        if policy == .error, !conflicts.isEmpty { return false }
        for key in conflicts { resolve(key, in: index, policy) }
        write(index)
        return true
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
        let view = views[index]
        let changed = view.changed.map { ($0, view.mine[$0]!) }
        let save = Save(
            inserted: view.inserted, updated: Dictionary(uniqueKeysWithValues: changed),
            deleted: view.deleted.sorted())
        for key in view.inserted + view.changed {
            lastVersions[key, default: 0] += 1
            rows[key] = Row(item: view.mine[key]!, version: lastVersions[key]!)
            views[index].base[key] = rows[key]
        }
        for key in save.deleted {
            rows[key] = nil
            views[index].forget(key)
        }
        for other in views.indices where other != index { views[other].unseen.append(save) }
    }
}
