/// Random edits of a list of notes, and what has to be in it afterwards.
struct RandomEdits {
    private var titles: [String]
    private var count = 0
    /// The titles that an app has said it has saved.
    private(set) var added: Set<String>
    /// The titles that an app was told to delete.
    private(set) var touched: Set<String> = []
    /// The titles that an app has said it has deleted.
    private(set) var deleted: Set<String> = []

    init(titles: [String]) {
        self.titles = titles
        added = Set(titles)
    }

    /// Returns an edit.
    ///
    /// - Parameter isSure: Whether the app will be asked if it has saved it.
    mutating func next(_ random: inout SplitMix, isSure: Bool) -> String {
        count += 1
        let title = titles.randomElement(using: &random)
        guard let title, Int.random(in: 0..<10, using: &random) >= 4 else {
            let title = "Note\(count)"
            titles.append(title)
            if isSure { added.insert(title) }
            return "add \(title)"
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            titles.removeAll { $0 == title }
            touched.insert(title)
            if isSure { deleted.insert(title) }
            return "delete \(title)"
        case 1, 2: return "move \(title) to \(Int.random(in: 1...titles.count, using: &random))"
        default: return "text \(title) = edit \(count)"
        }
    }

    /// Notes that an app did not do an edit, since it does not have the note.
    mutating func takeBack(_ edit: String) {
        if edit.hasPrefix("delete ") { deleted.remove(String(edit.dropFirst("delete ".count))) }
    }

    /// - Throws: An error if a note is missing that was saved, or there that was deleted.
    func check(_ list: [String]) throws {
        let lost = added.subtracting(touched).subtracting(list)
        let risen = deleted.intersection(list)
        let doubled = Set(list.filter { title in list.count { $0 == title } > 1 })
        for (titles, what) in [(lost, "lost"), (risen, "back after deletion"), (doubled, "there twice")]
        where !titles.isEmpty {
            throw DemonstrationError("\(what): \(titles.sorted().joined(separator: ", "))")
        }
    }
}

/// Numbers that a seed decides (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
