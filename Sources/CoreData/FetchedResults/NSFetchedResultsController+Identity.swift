// Delegates are given a controller of another type than the one that was made, so that there are two objects for one
// set of results, and `===` has to compare those. An overload for each mixture of optionals, since a conversion to an
// optional would let the operator of the standard library win.

public func === <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>
) -> Bool {
    left.results === right.results
}

public func === <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>?
) -> Bool {
    left.results === right?.results
}

public func === <First, Second>(
    left: NSFetchedResultsController<First>?, right: NSFetchedResultsController<Second>
) -> Bool {
    right === left
}

public func !== <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>
) -> Bool {
    !(left === right)
}

public func !== <First, Second>(
    left: NSFetchedResultsController<First>, right: NSFetchedResultsController<Second>?
) -> Bool {
    !(left === right)
}

public func !== <First, Second>(
    left: NSFetchedResultsController<First>?, right: NSFetchedResultsController<Second>
) -> Bool {
    !(right === left)
}
