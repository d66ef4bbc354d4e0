/// Something to do a number of times, in Core Data or in C, with everything around it the same whatever the number: two
/// runs of different numbers tell what one time costs in instructions, which no load of the machine changes.
protocol HotOperation {
    /// - Parameter tracksHistory: Whether the store keeps a history.
    func run(_ units: Int, inC: Bool, tracksHistory: Bool) throws
}

enum HotOperations {
    static let names = RowOperation.allCases.map(\.rawValue) + LibraryOperation.allCases.map(\.rawValue)

    static func named(_ name: String) -> (any HotOperation)? {
        RowOperation(rawValue: name) ?? LibraryOperation(rawValue: name)
    }
}
