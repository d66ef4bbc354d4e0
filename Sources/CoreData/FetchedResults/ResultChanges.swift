/// What turns one list into the next. Old positions are those before any of it, new ones those after all of it:
/// take out what was removed and what moved, from the last to the first, then whole sections; put in sections, then
/// what came and what moved, from the first to the last.
struct ResultChanges<Element: AnyObject> {
    struct SectionChange {
        let index: Int
        let section: ResultList<Element>.Section
    }

    struct Place {
        let element: Element
        let position: ResultPosition
    }

    struct Path {
        let element: Element
        let from: ResultPosition
        let to: ResultPosition
    }

    /// By old index, the last first.
    var removedSections: [SectionChange] = []
    /// By new index, the first first.
    var insertedSections: [SectionChange] = []
    /// By old position, the last first.
    var removed: [Place] = []
    /// By new position, the first first.
    var inserted: [Place] = []
    /// By new position, the first first.
    var moved: [Path] = []
    /// Changed where they are, though what came and went before them may have shifted them. By new position.
    var updated: [Path] = []

    var isEmpty: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && removed.isEmpty && inserted.isEmpty
            && moved.isEmpty && updated.isEmpty
    }
}
