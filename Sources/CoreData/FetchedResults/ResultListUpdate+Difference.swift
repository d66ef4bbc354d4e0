extension ResultListUpdate {
    /// Returns the changes that lead from one list to another that was made independently.
    ///
    /// - Parameter touched: The elements that are to be reported as updated where they stay.
    static func difference(
        from old: ResultList<Element>, to new: ResultList<Element>, touched: Set<ObjectIdentifier>
    ) throws -> (list: ResultList<Element>, changes: ResultChanges<Element>)? {
        var positions: [ObjectIdentifier: (index: Int, section: String)] = [:]
        for section in new.sections {
            for element in section.elements {
                positions[ObjectIdentifier(element)] = (positions.count, section.name)
            }
        }
        let gone = old.elements.filter { positions[ObjectIdentifier($0)] == nil }
        let order: Order = { left, right in
            (positions[ObjectIdentifier(left)]?.index ?? 0) - (positions[ObjectIdentifier(right)]?.index ?? 0)
        }
        // Elements that were not touched usually keep their order; if they did not, everything may move.
        for allMayMove in [false, true] {
            let elements =
                gone.map { Change(element: $0, section: nil) }
                + new.elements.map { element in
                    let id = ObjectIdentifier(element)
                    return Change(
                        element: element, section: positions[id]?.section,
                        mayMove: allMayMove || touched.contains(id))
                }
            guard var update = try applying(elements, to: old, order: order) else { return nil }
            guard update.list == new else { continue }
            update.changes.updated.removeAll { !touched.contains(ObjectIdentifier($0.element)) }
            return update
        }
        return nil
    }
}

extension ResultList: Equatable {
    static func == (left: ResultList, right: ResultList) -> Bool {
        left.sections.elementsEqual(right.sections) { first, second in
            first.name == second.name && first.elements.elementsEqual(second.elements, by: ===)
        }
    }
}
