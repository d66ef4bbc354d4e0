/// The merge of a list that two sides have changed, each in its own copy: by adding, removing and moving
/// elements, which are unique.
package struct ListMerge<Element: Hashable & Sendable>: Sendable {
    private let base: [Element]
    private let ours: [Element]
    private let theirs: [Element]

    package init(base: [Element], ours: [Element], theirs: [Element]) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// Returns the list with the changes of both sides. An element that both moved is where ours has it.
    ///
    /// - Parameter kept: The elements of ours that stay although theirs has removed them.
    package func merged(keeping kept: Set<Element> = []) -> [Element] {
        let (inBase, inOurs, inTheirs) = (Set(base), Set(ours), Set(theirs))
        let ourMoves = Self.moved(from: base, to: ours)
        let theirMoves = Self.moved(from: base, to: theirs).subtracting(ourMoves)
        var result = ours.filter { element in
            if theirMoves.contains(element) { return false }
            return !inBase.contains(element) || inTheirs.contains(element) || kept.contains(element)
        }
        for (place, element) in theirs.enumerated() {
            let isNew = !inBase.contains(element) && !inOurs.contains(element)
            guard isNew || theirMoves.contains(element) && inOurs.contains(element) else { continue }
            let former = theirs[..<place].last { result.contains($0) && !ourMoves.contains($0) }
            var index = former.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            // Elements that both sides put in the same place are in the order ours, theirs.
            let isOurs = { ourMoves.contains($0) || !inTheirs.contains($0) }
            index = result[index...].firstIndex { !isOurs($0) } ?? result.count
            result.insert(element, at: index)
        }
        return result
    }

    /// Returns the elements of both lists that are not in the longest sequence that both have in the same
    /// order.
    private static func moved(from old: [Element], to new: [Element]) -> Set<Element> {
        let places = Dictionary(old.enumerated().map { ($1, $0) }) { first, _ in first }
        let common = new.filter { places[$0] != nil }
        // For each length, the end of the sequence of that length that ends earliest in the old list.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, element) in common.enumerated() {
            let place = places[element]!
            let length = ends.firstIndex { places[common[$0]]! > place } ?? ends.count
            previous.append(length > 0 ? ends[length - 1] : nil)
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var moved = Set(common)
        var next = ends.last
        while let index = next {
            moved.remove(common[index])
            next = previous[index]
        }
        return moved
    }
}
