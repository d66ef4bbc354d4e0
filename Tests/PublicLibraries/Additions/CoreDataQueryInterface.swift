import PredicateQI

/// Foundation has a type of that name since 2024, so that the library's own needs to be told apart.
public typealias Expression = PredicateQI.Expression
