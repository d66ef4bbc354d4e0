/// A heap of events by time and order. Entries are large, so that only their places are moved.
struct EventQueue {
    private var heap: [(time: UInt64, order: Int)] = []
    private var entries: [Int: Simulation.Entry] = [:]

    mutating func insert(_ entry: Simulation.Entry) {
        entries[entry.order] = entry
        heap.append((entry.time, entry.order))
        var index = heap.count - 1
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Simulation.Entry? {
        guard let first = heap.first else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least]
            {
                least = child
            }
            if least == index { return entries.removeValue(forKey: first.order) }
            heap.swapAt(least, index)
            index = least
        }
    }
}
