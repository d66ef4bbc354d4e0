/// An operation that runs a number of times, in Core Data or in C. The work around it is the same whatever
/// the number, so that two runs with different numbers tell the cost of one time in instructions, which no
/// load on the machine changes.
protocol HotOperation {
    /// Runs the operation `units` times.
    ///
    /// - Parameter tracksHistory: Whether the store keeps a history.
    func run(_ units: Int, inC: Bool, tracksHistory: Bool) throws
}

enum HotOperations {
    static let names = RowOperation.allCases.map(\.rawValue) + LibraryOperation.allCases.map(\.rawValue)

    static func named(_ name: String) -> (any HotOperation)? {
        RowOperation(rawValue: name) ?? LibraryOperation(rawValue: name)
    }
}
