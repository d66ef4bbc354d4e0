/// The index of a list: its titles, each with the first section it stands for.
struct SectionIndex {
    private var entries: [(title: String, section: Int)] = []

    /// Makes the index; neighbouring sections with equal titles share one.
    ///
    /// - Parameter titles: By section; nil for one that is not in the index.
    init(_ titles: [String?]) {
        for (section, title) in titles.enumerated() {
            if let title, title != entries.last?.title { entries.append((title, section)) }
        }
    }

    /// Returns the first letter of a name, in upper case; nil for an empty name.
    static func title(of sectionName: String) -> String? { sectionName.first.map { $0.uppercased() } }

    var titles: [String] { entries.map(\.title) }

    func section(under title: String, at index: Int) -> Int {
        guard entries.indices.contains(index), entries[index].title == title else {
            programmerError(
                "There is no section index title \"\(title)\" at \(index): the index has \(titles). Pass what "
                    + "sectionIndexTitles holds.")
        }
        return entries[index].section
    }
}
