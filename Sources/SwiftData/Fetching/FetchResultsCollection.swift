/// The results of a fetch in batches: each is read from the store when one of its elements is first used.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    private let element: (Int) -> Element
    /// The number of results.
    public let endIndex: Int

    init<Result>(_ results: [Result], _ element: @escaping (Result) -> Element) {
        endIndex = results.count
        self.element = { element(results[$0]) }
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The result at a position.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no result \(position) among \(count).")
        return element(position)
    }
}
