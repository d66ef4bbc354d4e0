import CoreDataSyncCore

/// What a user does on a device, and what became of each value.
struct SimApp {
    /// Values that were on the screen when they were replaced or deleted.
    var replaced: Set<String> = []
    /// All texts that were entered; no two are equal.
    var entered: Set<String> = []
    /// What was added to counters of objects of the store, and before to those that are others by now.
    var added: [LocalKey: Int64] = [:]
    var addedBefore: [SyncID: Int64] = [:]
    var prefix = ""
    private var count = 0

    private mutating func text(_ random: inout SeededGenerator) -> LocalValue {
        count += 1
        entered.insert(prefix + "v\(count)")
        return .plain(.string(prefix + "v\(count)"))
    }

    private mutating func noteReplaced(_ value: LocalValue?) {
        if case .plain(.string(let text)) = value { replaced.insert(text) }
    }

    /// Makes a few edits in one save.
    mutating func edit(_ store: inout SimStore, _ milliseconds: UInt64, _ random: inout SeededGenerator) {
        let count = random.chance(75) ? 1 : 3
        store.save(milliseconds) { editor in
            for _ in 0..<count { step(&editor, &random) }
        }
    }

    /// Gives one object another text in a save of its own.
    mutating func retitle(
        _ key: LocalKey, _ store: inout SimStore, _ milliseconds: UInt64, _ random: inout SeededGenerator
    ) {
        store.save(milliseconds) { editor in
            switch editor.store.rows[key]?.entity {
            case "Book", "Novel": retitle(key, "title", &editor, &random)
            case "Loan": retitle(key, "note", &editor, &random)
            case "Shelf", "Library": retitle(key, "name", &editor, &random)
            case "Label": retitle(key, "color", &editor, &random)
            default: break
            }
        }
    }

    private func keys(_ editor: SimStore.Editor, _ entity: String) -> [LocalKey] {
        editor.store.rows.filter { editor.store.schema.isKind($0.value.entity, of: entity) }.keys.sorted()
    }

    private mutating func step(_ editor: inout SimStore.Editor, _ random: inout SeededGenerator) {
        let books = keys(editor, "Book")
        let shelves = keys(editor, "Shelf")
        let tags = keys(editor, "Tag")
        switch random.below(24) {
        case 0, 1: insertShelf(&editor, &random)
        case 2, 3, 4:
            let book = editor.insert(random.chance(20) ? "Novel" : "Book")
            editor.set(text(&random), "title", of: book)
            if random.chance(40) { setUnique("isbn", of: book, &editor, &random) }
            if let shelf = shelves.isEmpty ? nil : random.pick(shelves) { put(book, on: shelf, &editor) }
        case 5:
            let tag = editor.insert("Tag")
            setUnique("name", of: tag, &editor, &random)
        case 6 where !tags.isEmpty:
            let loan = editor.insert("Loan")
            editor.set(text(&random), "note", of: loan)
            editor.set(.object(random.pick(tags)), "tag", of: loan)
        case 7...9 where !books.isEmpty: retitle(random.pick(books), "title", &editor, &random)
        case 10 where !books.isEmpty:
            let book = random.pick(books)
            let value = editor.store.rows[book]?.values["copies"]
            guard case .plain(.integer(let copies)) = value ?? .plain(.integer(0)) else { return }
            let amount = Int64(random.below(5)) - 1
            added[book, default: 0] += amount
            editor.set(.plain(.integer(copies + amount)), "copies", of: book)
        case 11 where !books.isEmpty:
            editor.set(.plain(.integer(Int64(random.below(10)))), "rating", of: random.pick(books))
        case 12 where !books.isEmpty && !shelves.isEmpty:
            put(random.pick(books), on: random.pick(shelves), &editor)
        case 13 where !shelves.isEmpty:
            let shelf = random.pick(shelves)
            let members = editor.store.rows[shelf]?.lists["books"] ?? []
            editor.order(members.shuffled(using: &random), "books", of: shelf)
        case 14 where !books.isEmpty && !tags.isEmpty:
            editor.set(
                random.chance(65),
                SimStore.Pair(name: "Book.tags", first: random.pick(books), second: random.pick(tags)))
        case 15 where !shelves.isEmpty:
            let (shelf, parent) = (random.pick(shelves), random.pick(shelves))
            if !leads(parent, to: shelf, editor) { editor.set(.object(parent), "parent", of: shelf) }
        case 16 where books.count > 1:
            let (book, prequel) = (random.pick(books), random.pick(books))
            for other in books where editor.store.rows[other]?.values["prequel"] == .object(prequel) {
                editor.set(nil, "prequel", of: other)
            }
            editor.set(.object(prequel), "prequel", of: book)
        case 17 where !books.isEmpty:
            editor.set(
                .plain(.group(["latitude": .real(Double(random.below(90))), "longitude": .real(1)])), "place",
                of: random.pick(books))
        case 20 where !tags.isEmpty:
            let libraries = keys(editor, "Library")
            guard !libraries.isEmpty else { return }
            editor.set(
                random.chance(75),
                SimStore.Pair(
                    name: "Library.topics", first: random.pick(libraries), second: random.pick(tags)))
        case 21:
            let entity = random.chance(50) ? "Library" : "Tag"
            let owners = keys(editor, entity)
            guard !owners.isEmpty else { return }
            let (owner, name) = (random.pick(owners), entity == "Tag" ? "libraries" : "topics")
            let members = editor.store.rows[owner]?.lists[name] ?? []
            editor.order(members.shuffled(using: &random), name, of: owner)
        case 22:
            // Not even on this device is it the only one of its identity.
            let label = editor.insert("Label")
            editor.set(.plain(.string("l\(random.below(4))")), "text", of: label)
            editor.set(text(&random), "color", of: label)
        case 23:
            let labels = keys(editor, "Label")
            guard !labels.isEmpty else { return }
            let (label, loans) = (random.pick(labels), keys(editor, "Loan"))
            guard !loans.isEmpty, random.chance(60) else { return retitle(label, "color", &editor, &random) }
            editor.set(.object(label), "label", of: random.pick(loans))
        case 18, 19:
            let keys = editor.store.rows.keys.sorted()
            if !keys.isEmpty { delete(random.pick(keys), &editor) }
        default:
            let loans = keys(editor, "Loan")
            if !loans.isEmpty { retitle(random.pick(loans), "note", &editor, &random) }
        }
    }

    private mutating func insertShelf(_ editor: inout SimStore.Editor, _ random: inout SeededGenerator) {
        var libraries = keys(editor, "Library")
        if libraries.isEmpty || random.chance(15) {
            let library = editor.insert("Library")
            editor.set(text(&random), "name", of: library)
            libraries.append(library)
        }
        let shelf = editor.insert("Shelf")
        editor.set(text(&random), "name", of: shelf)
        editor.set(.object(random.pick(libraries)), "library", of: shelf)
    }

    private mutating func retitle(
        _ key: LocalKey, _ name: String, _ editor: inout SimStore.Editor, _ random: inout SeededGenerator
    ) {
        noteReplaced(editor.store.rows[key]?.values[name])
        editor.set(text(&random), name, of: key)
    }

    /// Gives an object a value that no other one has on this device, out of a few that all devices use.
    private mutating func setUnique(
        _ name: String, of key: LocalKey, _ editor: inout SimStore.Editor, _ random: inout SeededGenerator
    ) {
        let value = LocalValue.plain(.string("u\(random.below(6))"))
        let isTaken = editor.store.rows.values.contains { $0.values[name] == value }
        if name == "name" {
            editor.set(isTaken ? text(&random) : value, name, of: key)
        } else if !isTaken {
            editor.set(value, name, of: key)
        }
    }

    private func put(_ book: LocalKey, on shelf: LocalKey, _ editor: inout SimStore.Editor) {
        guard editor.store.rows[shelf]?.lists["books"]?.count ?? 0 < 4 else { return }
        editor.set(.object(shelf), "shelf", of: book)
    }

    /// Whether the parents of one shelf lead to another one, or run in a circle, which the server has yet
    /// to break.
    private func leads(_ key: LocalKey, to other: LocalKey, _ editor: SimStore.Editor) -> Bool {
        var seen: Set<LocalKey> = [other]
        var current = key
        while seen.insert(current).inserted {
            guard case .object(let next) = editor.store.rows[current]?.values["parent"] else { return false }
            current = next
        }
        return true
    }

    /// Deletes as the rules of the model say: shelves go with their library, and a tag with loans stays.
    private mutating func delete(_ key: LocalKey, _ editor: inout SimStore.Editor) {
        let referrers = editor.store.rows.filter { $0.value.values.values.contains(.object(key)) }.keys
            .sorted()
        switch editor.store.rows[key]?.entity {
        case "Tag" where referrers.contains { editor.store.rows[$0]?.entity == "Loan" }: return
        case "Library": for shelf in referrers { delete(shelf, &editor) }
        default: break
        }
        for value in editor.store.rows[key]?.values.values.map(\.self) ?? [] { noteReplaced(value) }
        editor.delete(key)
    }
}
