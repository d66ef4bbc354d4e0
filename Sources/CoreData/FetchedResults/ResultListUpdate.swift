/// The update of a list with changed elements, and the resulting changes.
///
/// It looks only at the neighbours of changed elements and, for elements that need a new place, at those that
/// a binary search visits.
///
/// The changes always lead to the new list, even if the order contradicts itself because a value on which it
/// depends changed unnoticed.
struct ResultListUpdate<Element: AnyObject> {
    /// A changed element, and where it belongs now.
    struct Change {
        let element: Element
        /// The section it belongs to; nil if it is not, or no longer, to be in the list.
        let section: String?
        /// Whether a value changed that decides on its place.
        var mayMove = true
    }

    typealias Order = (Element, Element) throws -> Int

    private let old: ResultList<Element>
    private let order: Order
    private var changes = ResultChanges<Element>()

    /// The old places of the elements that are no longer where they were.
    private var leaving: [ResultPosition] = []
    /// The elements to be inserted, with their old places if they only move.
    private var arriving: [Arrival] = []
    /// The elements that stay where they are.
    private var staying: [(element: Element, position: ResultPosition)] = []

    private typealias Arrival = ResultListDraft<Element>.Arrival

    private init(_ old: ResultList<Element>, order: @escaping Order) {
        self.old = old
        self.order = order
    }

    /// Returns the new list and the changes that lead to it, or nil if the changes do not concern the list.
    ///
    /// - Parameters:
    ///   - elements: The changed elements, each once.
    ///   - positions: The places of those that are in the list, if they are known.
    static func applying(
        _ elements: [Change], to list: ResultList<Element>,
        at positions: [ObjectIdentifier: ResultPosition]? = nil, order: @escaping Order
    ) throws -> (list: ResultList<Element>, changes: ResultChanges<Element>)? {
        var update = ResultListUpdate(list, order: order)
        try update.sort(elements, positions ?? list.positions(of: elements.map(\.element)))
        return try update.finish()
    }

    // MARK: Staying

    private struct Member {
        let change: Change
        let position: ResultPosition
    }

    private mutating func sort(
        _ elements: [Change], _ positions: [ObjectIdentifier: ResultPosition]
    ) throws {
        var loose: [Member] = []
        for change in elements {
            guard let position = positions[ObjectIdentifier(change.element)] else {
                if let section = change.section {
                    arriving.append(Arrival(change.element, section, from: nil))
                }
                continue
            }
            if change.section != nil, !change.mayMove {
                staying.append((change.element, position))
            } else {
                loose.append(Member(change: change, position: position))
            }
        }
        loose.sort { $0.position < $1.position }
        try keepFitting(loose)
    }

    /// Decides which members stay: those that are still in order with the members before and behind them that
    /// stay.
    private mutating func keepFitting(_ loose: [Member]) throws {
        var before: Element?
        var last: ResultPosition?
        var run = 0..<0
        for (index, member) in loose.enumerated() {
            let previous = old.position(before: member.position)
            if previous == nil || previous != last { before = previous.map { old[$0] } }
            last = member.position
            if !run.contains(index) { run = index..<endOfRun(loose, from: index) }
            let change = member.change
            if let section = change.section, section == old.sections[member.position.section].name {
                let next = old.position(after: loose[run.upperBound - 1].position).map { old[$0] }
                if try fits(change.element, between: before, and: next) {
                    before = change.element
                    staying.append((change.element, member.position))
                    continue
                }
            }
            leaving.append(member.position)
            if let section = change.section {
                arriving.append(Arrival(change.element, section, from: member.position))
            } else {
                changes.removed.append(.init(element: change.element, position: member.position))
            }
        }
    }

    /// Returns the end of the run of adjacent members.
    private func endOfRun(_ loose: [Member], from start: Int) -> Int {
        var end = start + 1
        while end < loose.count, old.position(after: loose[end - 1].position) == loose[end].position {
            end += 1
        }
        return end
    }

    private func fits(_ element: Element, between before: Element?, and next: Element?) throws -> Bool {
        if let before, try order(before, element) > 0 { return false }
        if let next, try order(element, next) > 0 { return false }
        return true
    }

    // MARK: The new list

    private mutating func finish() throws -> (list: ResultList<Element>, changes: ResultChanges<Element>)? {
        if leaving.isEmpty, arriving.isEmpty {
            if staying.isEmpty { return nil }
            changes.updated = staying.map { .init(element: $0.element, from: $0.position, to: $0.position) }
            changes.updated.sort { $0.to < $1.to }
            return (old, changes)
        }
        var draft = ResultListDraft(old, without: leaving, order: order)
        let (list, sections) = try draft.placing(arriving)
        changes.removedSections = sections.removed
        changes.insertedSections = sections.inserted
        changes.removed.reverse()
        notePositions(in: list)
        return (list, changes)
    }

    private mutating func notePositions(in list: ResultList<Element>) {
        let positions = list.positions(of: arriving.map(\.element) + staying.map(\.element))
        func position(_ element: Element) -> ResultPosition {
            positions[ObjectIdentifier(element)] ?? ResultPosition(section: 0, row: 0)
        }
        for arrival in arriving {
            let (element, to) = (arrival.element, position(arrival.element))
            if let from = arrival.from {
                changes.moved.append(.init(element: element, from: from, to: to))
            } else {
                changes.inserted.append(.init(element: element, position: to))
            }
        }
        for (element, from) in staying {
            changes.updated.append(.init(element: element, from: from, to: position(element)))
        }
        changes.inserted.sort { $0.position < $1.position }
        changes.moved.sort { $0.to < $1.to }
        changes.updated.sort { $0.to < $1.to }
    }
}
