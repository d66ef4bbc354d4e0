/// Elements in their order, each once. To find one takes halvings; to insert or remove one moves those behind.
struct SortedList<Element: Comparable & Sendable>: Sendable {
    private(set) var elements: [Element] = []

    mutating func insert(_ element: Element) {
        let place = place { $0 < element }
        if place == elements.count || elements[place] != element { elements.insert(element, at: place) }
    }

    mutating func remove(_ element: Element) {
        let place = place { $0 < element }
        if place < elements.count, elements[place] == element { elements.remove(at: place) }
    }

    /// Returns the elements behind those at the front of which something holds.
    func behind(_ isBefore: (Element) -> Bool) -> ArraySlice<Element> { elements[place(isBefore)...] }

    private func place(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
