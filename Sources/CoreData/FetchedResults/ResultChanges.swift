/// The changes that turn one list into the next.
///
/// Old positions are those before any change, new ones those after all changes. To apply the changes, remove
/// the removed and moved elements, from the last to the first, then whole sections; insert sections, then the
/// inserted and moved elements, from the first to the last.
struct ResultChanges<Element: AnyObject> {
    struct SectionChange {
        let index: Int
        let section: ResultList<Element>.Section
    }

    struct Entry {
        let element: Element
        let position: ResultPosition
    }

    struct Path {
        let element: Element
        let from: ResultPosition
        let to: ResultPosition
    }

    /// The removed sections by old index, from the last to the first.
    var removedSections: [SectionChange] = []
    /// The inserted sections by new index, from the first to the last.
    var insertedSections: [SectionChange] = []
    /// The removed elements by old position, from the last to the first.
    var removed: [Entry] = []
    /// The inserted elements by new position, from the first to the last.
    var inserted: [Entry] = []
    /// The moved elements by new position, from the first to the last.
    var moved: [Path] = []
    /// The elements with other values at their position among the others, by new position, from the first to
    /// the last; insertions and removals before them may have shifted them.
    var updated: [Path] = []

    var isEmpty: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && removed.isEmpty && inserted.isEmpty
            && moved.isEmpty && updated.isEmpty
    }
}
