// Delegates are given a controller of another type than the one that was made, so that there are two objects
// for one set of results, and `===` has to compare these. There is an overload for each mixture of optionals,
// since a conversion to an optional would let the operator of the standard library win.

/// Returns whether two controllers, of any result types, show the same results.
public func === <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>
) -> Bool {
    left.results === right.results
}

/// Returns whether a controller and an optional one, of any result types, show the same results.
public func === <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>?
) -> Bool {
    left.results === right?.results
}

/// Returns whether an optional controller and another one, of any result types, show the same results.
public func === <First, Second>(
    left: NSFetchedResultsController<First>?, right: NSFetchedResultsController<Second>
) -> Bool {
    right === left
}

/// Returns whether two controllers, of any result types, show different results.
public func !== <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>
) -> Bool {
    !(left === right)
}

/// Returns whether a controller and an optional one, of any result types, show different results; true for
/// nil.
public func !== <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>?
) -> Bool {
    !(left === right)
}

/// Returns whether an optional controller and another one, of any result types, show different results; true
/// for nil.
public func !== <First, Second>(
    left: NSFetchedResultsController<First>?, right: NSFetchedResultsController<Second>
) -> Bool {
    !(right === left)
}
