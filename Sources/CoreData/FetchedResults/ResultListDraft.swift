/// A list that is being changed into the next one: leaving elements are removed, then arriving ones are put
/// in place, section by section.
struct ResultListDraft<Element: AnyObject> {
    struct Arrival {
        let element: Element
        let section: String
        /// The old position, if the element only moves.
        let from: ResultPosition?

        init(_ element: Element, _ section: String, from: ResultPosition?) {
            self.element = element
            self.section = section
            self.from = from
        }
    }

    private struct Section {
        let name: String
        var kept: [Element]
        var arriving: [Element] = []
        /// The index of the section in the old list, if it is still the same section.
        var oldIndex: Int?

        /// Any element of the section, to compare with, since sections do not overlap.
        var sample: Element? { kept.first ?? arriving.first }
    }

    struct SectionChanges {
        var removed: [ResultChanges<Element>.SectionChange] = []
        var inserted: [ResultChanges<Element>.SectionChange] = []
    }

    private let old: ResultList<Element>
    private let order: (Element, Element) throws -> Int
    private var sections: [Section]

    init(
        _ old: ResultList<Element>, without leaving: [ResultPosition],
        order: @escaping (Element, Element) throws -> Int
    ) {
        self.old = old
        self.order = order
        sections = old.sections.enumerated().map { index, section in
            Section(name: section.name, kept: section.elements, oldIndex: index)
        }
        for (index, positions) in Dictionary(grouping: leaving, by: \.section) {
            let rows = Set(positions.map(\.row))
            sections[index].kept = old.sections[index].elements.enumerated()
                .filter { !rows.contains($0.offset) }.map(\.element)
        }
        if old.isSectioned { sections.removeAll(where: \.kept.isEmpty) }
    }

    /// Returns the list with the arriving elements, and how its sections differ.
    mutating func placing(_ arrivals: [Arrival]) throws -> (ResultList<Element>, SectionChanges) {
        try assign(try arrivals.sorted { try order($0.element, $1.element) < 0 })
        var list = old
        list.sections = try sections.map { section in
            .init(name: section.name, elements: try merged(section.kept, section.arriving))
        }
        guard old.isSectioned else { return (list, SectionChanges()) }
        recognizeSections()
        return (list, sectionChanges(to: list))
    }

    // MARK: Sections

    private mutating func assign(_ arrivals: [Arrival]) throws {
        var indexes = Dictionary(uniqueKeysWithValues: sections.enumerated().map { ($1.name, $0) })
        var newcomers: [Section] = []
        for arrival in arrivals {
            if let index = indexes[arrival.section] {
                if index < sections.count {
                    sections[index].arriving.append(arrival.element)
                } else {
                    newcomers[index - sections.count].arriving.append(arrival.element)
                }
            } else {
                indexes[arrival.section] = sections.count + newcomers.count
                newcomers.append(Section(name: arrival.section, kept: [], arriving: [arrival.element]))
            }
        }
        for section in newcomers {
            guard let element = section.arriving.first else { continue }
            let index = try Self.index(of: element, among: sections.count, order) {
                sections[$0].sample ?? element
            }
            sections.insert(section, at: index)
        }
    }

    /// Treats a section that lost all its elements and got others as the same section, if its neighbours are
    /// still the same.
    private mutating func recognizeSections() {
        let oldIndexes = Dictionary(uniqueKeysWithValues: old.sections.enumerated().map { ($1.name, $0) })
        var last = -1
        for index in sections.indices {
            if sections[index].oldIndex == nil, let candidate = oldIndexes[sections[index].name] {
                let next = sections[(index + 1)...].lazy.compactMap(\.oldIndex).first ?? old.sections.count
                if candidate > last, candidate < next { sections[index].oldIndex = candidate }
            }
            last = sections[index].oldIndex ?? last
        }
    }

    private func sectionChanges(to list: ResultList<Element>) -> SectionChanges {
        var changes = SectionChanges()
        let surviving = Set(sections.compactMap(\.oldIndex))
        for (index, section) in old.sections.enumerated().reversed() where !surviving.contains(index) {
            changes.removed.append(.init(index: index, section: section))
        }
        for (index, section) in sections.enumerated() where section.oldIndex == nil {
            changes.inserted.append(.init(index: index, section: list.sections[index]))
        }
        return changes
    }

    // MARK: Order

    /// Returns two sorted arrays merged into one. An arriving element comes behind elements that compare
    /// equal.
    private func merged(_ kept: [Element], _ arriving: [Element]) throws -> [Element] {
        if arriving.isEmpty { return kept }
        var result: [Element] = []
        result.reserveCapacity(kept.count + arriving.count)
        var start = 0
        for element in arriving {
            let rest = kept[start...]
            let end = start + (try Self.index(of: element, among: rest.count, order) { rest[start + $0] })
            result += kept[start..<end]
            result.append(element)
            start = end
        }
        result += kept[start...]
        return result
    }

    /// Returns the number of the `count` sorted elements that come before the element.
    private static func index(
        of element: Element, among count: Int, _ order: (Element, Element) throws -> Int,
        _ other: (Int) -> Element
    ) rethrows -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if try order(element, other(middle)) < 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
